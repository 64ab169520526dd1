import type { Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { RetryPolicy } from "@kindling/staging-client";
import type { ResolvedFile } from "./config/localizer-config.ts";

/** The outside world that a run uses, and the reporter of its progress. */
export interface LocalizeOptions extends Pick<Outside, "clock" | "env" | "random"> {
  readonly reporter: Reporter;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/** Gets reports about each file. */
export interface Reporter {
  /** Bytes that arrived; negative for bytes that are dropped and fetched again. */
  received(file: ResolvedFile, bytes: number): void;
  retrying(file: ResolvedFile, problem: string, waitMs: number): void;
  done(file: ResolvedFile, outcome: FileOutcome): void;
}

export interface FileOutcome {
  /** `present`: the file was there already, and nothing was fetched. */
  readonly outcome: "fetched" | "present";
  readonly bytes: number;
  readonly seconds: number;
  /** Entries of an archive that was unpacked. */
  readonly unpacked?: number;
}
