import { table } from "./measure.mjs";

/**
 * A table of figures with what is wanted of them. A figure that misses is marked, and the run fails in the end.
 *
 * @param rows what was measured, the figure as a text, what is wanted as a text, and whether it holds
 */
export function judge(rows) {
  if (rows.some(({ holds }) => holds === false)) process.exitCode = 1;
  return table([
    ["measured", "found", "wanted"],
    ...rows.map(({ what, found, wanted = "", holds = true }) => [
      what,
      holds ? found : `**${found}** (missed)`,
      wanted,
    ]),
  ]);
}
