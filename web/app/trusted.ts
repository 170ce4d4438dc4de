/** The one place where text becomes markup or the address of a script: pictures that the engine drew, and the page's own workers. */

interface Policy {
  createHTML(text: string): unknown;
  createScriptURL(url: string): unknown;
}

/** The library escapes every name in a picture; this refuses whatever is no picture. */
function checkSvg(text: string): string {
  const opens = /^<(svg|span)[ >]/.test(text);
  // within tags only: names of the user's are escaped text
  if (opens && !/<(script|foreignObject|iframe|image|a)\b|<[^<>]*(\son\w+\s*=|javascript:)/i.test(text)) return text;
  throw new TypeError("not a picture");
}

function checkUrl(url: string): string {
  const { protocol, origin } = new URL(url, location.href);
  if (protocol === "blob:" || origin === location.origin) return url;
  throw new TypeError("not a script of this page");
}

const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, policy: Policy): Policy } }).trustedTypes;
const checks: Policy = { createHTML: checkSvg, createScriptURL: checkUrl };
const policy = factory?.createPolicy("gosset", checks) ?? checks;

export const trustedSvg = (svg: string): string => policy.createHTML(svg) as string;
export const trustedUrl = (url: string): string => policy.createScriptURL(url) as string;
