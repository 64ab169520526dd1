/** A field, in quotes or not, and what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy;

/**
 * Reads one value of a list as pflag does, which reads it as a line of CSV: `a,b`, `"a,b",c`. An empty text is an empty
 * list, and two quotes are a list of one empty text (spf13/pflag v1.0.10, string_slice.go).
 *
 * @returns undefined if a quote is in a wrong place
 */
export function readCommaList(text: string): readonly string[] | undefined {
  if (text === "") return [];
  const fields: string[] = [];
  for (const [, quoted, bare = "", end] of text.matchAll(FIELD)) {
    fields.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === "") return fields;
  }
  return undefined;
}
