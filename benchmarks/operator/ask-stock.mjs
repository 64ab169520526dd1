import { execFileSync } from "node:child_process";

/**
 * Asks stock's own code.
 *
 * @param {string} program kindling-compare, which apps/integration/kubeflow/stock-release.mjs makes
 * @param {readonly {what: string}[]} questions for what there is, see compare/cmd/kindling-compare beside it
 * @param {Record<string, string>} [env] of the program
 * @returns {Record<string, any>[]} an answer for each; what stock refuses has its words as `error`
 */
export function askStock(program, questions, env = {}) {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
  const output = execFileSync(program, { input, env, maxBuffer: 1 << 30, encoding: "utf8" });
  const answers = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failed = answers.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) throw new Error(`kindling-compare: ${failed.failure}`);
  return answers;
}
