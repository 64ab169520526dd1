import { execFileSync } from "node:child_process";

/** A question to kindling-compare. For its other members see compare/cmd/kindling-compare next to kindling-compare. */
export interface Question {
  readonly what: "arguments" | "template" | "pod" | "surroundings" | "connect";
}

/**
 * Asks the code of the stock operator itself.
 *
 * @param program kindling-compare, which apps/integration/kubeflow/stock-release.mjs makes
 * @param env of the program
 * @returns an answer for each question; if the stock operator refuses something, the answer has its message as `error`
 */
export function askStock<A extends object>(
  program: string,
  questions: readonly Question[],
  env: Readonly<Record<string, string>> = {},
): A[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
  const output = execFileSync(program, { input, env, maxBuffer: 2 ** 30, encoding: "utf8" });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => {
      const answer = JSON.parse(line) as A | { readonly failure: string };
      if ("failure" in answer) throw new Error(`kindling-compare: ${answer.failure}`);
      return answer;
    });
}
