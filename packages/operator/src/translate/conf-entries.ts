import type { ConfEntry } from "./translation.ts";

/** One entry, if there is a value. */
export function entry(key: string, value: string | number | boolean | undefined): readonly ConfEntry[] {
  return value === undefined ? [] : [[key, String(value)]];
}

/** The same for fields where stock reads an empty text as not set. */
export function entryOfText(key: string, value: string | undefined): readonly ConfEntry[] {
  return value === "" ? [] : entry(key, value);
}

/**
 * An entry for each member of a map, with a prefix. The keys are sorted, so that equal objects give equal arguments;
 * stock has the order of Go's maps.
 */
export function entriesOf(prefix: string, map: Readonly<Record<string, string>> | undefined): readonly ConfEntry[] {
  return Object.entries(map ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]): ConfEntry => [`${prefix}${key}`, value]);
}
