import type { Cause } from "../../finding.ts";

/** A common failure: its words in logs, and what helps. */
export interface KnownFailure {
  readonly words: RegExp;
  readonly cause?: Cause;
  /** Used instead of the log's own line, if that does not say what is wrong. */
  readonly says?: (...groups: string[]) => string;
  readonly advice: string | ((...groups: string[]) => string);
}

/** What is known about a failure. */
export interface Known {
  readonly cause: Cause | undefined;
  readonly summary: string | undefined;
  /** The line with the failure. */
  readonly line: string;
  readonly advice: string;
}

/** The first of these failures that a line contains; of several lines, the first one that contains any. */
export function knownFailure(failures: readonly KnownFailure[], lines: readonly string[]): Known | undefined {
  for (const line of lines) {
    for (const { words, cause, says, advice } of failures) {
      const found = words.exec(line);
      if (found === null) continue;
      const groups = found.slice(1).map((group: string | undefined) => group ?? "");
      return {
        cause,
        line,
        summary: says?.(...groups),
        advice: typeof advice === "string" ? advice : advice(...groups),
      };
    }
  }
  return undefined;
}
