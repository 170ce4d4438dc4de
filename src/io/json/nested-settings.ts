/** Settings of a run as a log nests them → one short text for each, under the last part of its name. */

import { shorten } from "../../study/facts.ts";
import { isSetting, isSettings } from "../../study/lexicon/circumstances.ts";
import { asText, canonicalText, isObject } from "./value.ts";

/** Longest value that is told whole; a prompt is told by its start and by how long it is. */
const LONGEST = 40;
/** What names the model, the place or the time of a run, and bookkeeping that changes no answer. */
const IGNORED =
  /^(model|model_name|model_deployment|pretrained|tokenizer|engine|deployment|base_url|api_base|api_key|device|devices|batch_size|max_batch_size|bootstrap_iters|use_cache|cache_requests|log_.*|created|date|.*_seed|seed|random|parallelize|gpu_memory_utilization|tensor_parallel_size|num_concurrent|max_connections|max_retries|timeout|revision|trust_remote_code|task|name|display_name|metadata)$/;

/** Levels of nesting that a setting lies under. */
const DEEPEST = 8;

/** Objects are opened; lists and texts are values. Empty and absent are the default. */
export function flattenSettings(value: unknown, at = "", depth = 0): Record<string, string> {
  if (isObject(value)) {
    if (depth > DEEPEST) return {};
    const parts = Object.entries(value).filter(([key]) => !IGNORED.test(key));
    return Object.fromEntries(parts.flatMap(([key, part]) => Object.entries(flattenSettings(part, key, depth + 1))));
  }
  const text = Array.isArray(value) ? (value.length === 0 ? undefined : canonicalText(value)) : asText(value);
  return text === undefined || text === "" || at === "" ? {} : { [at]: tellValue(text) };
}

/** Beside the records of a document: what is called like a setting, or lies under one. */
export function declaredSettings(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (isObject(value)) return isSettings(name) ? Object.entries(flattenSettings(value)) : [];
      return isSetting(name) || JUDGED_BY.test(name) ? Object.entries(flattenSettings(value, name)) : [];
    }),
  );
}

/** Who or what gave the scores of a whole document. */
const JUDGED_BY =
  /^(judge|grader|scorer|evaluator)(_?(model|name|prompt|version))?$|^(rubric|dataset|split)(_?version)?$/i;

function tellValue(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= LONGEST) return plain;
  return `"${shorten(plain, LONGEST)}" (${text.length} characters, ${checksum(text)})`;
}

/** Tells long texts apart that begin alike. */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** "pretrained=x,dtype=float16" as an object. */
export function parseArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return Object.fromEntries(
    value.split(",").flatMap((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
    }),
  );
}
