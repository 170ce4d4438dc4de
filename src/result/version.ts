/** The version that results carry in their signature; the same as in package.json. */
export const GOSSET_VERSION = "0.1.0";
