// @ts-check

/**
 * A table in Markdown.
 *
 * @param {readonly (readonly string[])[]} rows the first row is the head
 */
export function table(rows) {
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |\n`).join("");
}
