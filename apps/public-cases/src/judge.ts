import type { Expectation } from "./expectation.ts";

/** What running a case gave. */
export interface Told {
  /** All that was printed or found. */
  readonly text: string;
  /** What shows that it is wrong, whatever is expected: a field that differs from the real spark-submit's. */
  readonly faults: readonly string[];
  /** The state that a SparkApplication came to. */
  readonly state?: string;
}

/** What is wrong about a case; nothing if it is right. */
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
