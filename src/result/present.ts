/** An object without the fields that are undefined: what is not there is not said, so that JSON, signatures and options have no empty names. */
export type Present<T extends object> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function present<T extends object>(fields: T): Present<T> {
  const own: Present<T> = {};
  for (const key of Object.keys(fields) as (keyof T)[])
    if (fields[key] !== undefined) own[key] = fields[key] as Exclude<T[keyof T], undefined>;
  return own;
}
