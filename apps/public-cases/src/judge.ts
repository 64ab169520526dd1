import type { Expectation } from "./expectation.ts";

/** The result of a case. */
export interface Told {
  /** Everything that was printed or found. */
  readonly text: string;
  /** Faults that are wrong in any case: a field that differs from the real spark-submit's. */
  readonly faults: readonly string[];
  /** The final state of a SparkApplication. */
  readonly state?: string;
}

/** What is wrong with a case; empty if it is correct. */
export function judge({ text, faults, state = "" }: Told, expected: Expectation | undefined): readonly string[] {
  const { says = [], never = [], state: wanted } = expected ?? {};
  const matches = (pattern: string): boolean => new RegExp(pattern, "i").test(text);
  return [
    ...faults,
    ...(wanted !== undefined && !new RegExp(`^(?:${wanted})$`).test(state) ? [`state ${state}, not ${wanted}`] : []),
    ...says.filter((pattern) => !matches(pattern)).map((pattern) => `does not say /${pattern}/`),
    ...never.filter((pattern) => matches(pattern)).map((pattern) => `says /${pattern}/`),
  ];
}
