/** The lines of a page that were not printed: an ellipsis stands for any text, an empty line for nothing. */
export function missingLines(shown: readonly string[], printed: string): readonly string[] {
  const lines = printed.split("\n").map((line) => line.trim());
  return shown
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "…")
    .filter((line) => !lines.some((candidate) => patternOf(line).test(candidate)));
}

/** Parts that differ between runs, and patterns for them. */
const VARYING: readonly (readonly [found: RegExp, pattern: string])[] = [
  [/…/y, ".*"],
  // Ids and digests, which have digits and letters.
  [/(?=[a-f]*\d)[0-9a-f]{6,}/y, "[0-9a-f]{6,}"],
  // Names of nodes.
  [/(?<=\bon node )\S+/y, "\\S+"],
  // Ages.
  [/(?:\d+[dhms])+\b/y, "(?:\\d+[dhms])+"],
  [/\d+/y, "\\d+"],
  // Columns are as wide as needed.
  [/\s+/y, "\\s+"],
];

function patternOf(line: string): RegExp {
  let pattern = "";
  for (let at = 0; at < line.length;) {
    const rest = VARYING.map(([found, replacement]) => {
      found.lastIndex = at;
      return { length: found.exec(line)?.[0].length ?? 0, replacement };
    }).find(({ length }) => length > 0);
    pattern += rest?.replacement ?? line.charAt(at).replace(/[.*+?^${}()|[\]\\]/, "\\$&");
    at += rest?.length ?? 1;
  }
  return new RegExp(`^${pattern}$`);
}
