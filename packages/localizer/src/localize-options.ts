import type { Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { RetryPolicy } from "@kindling/staging-client";
import type { ResolvedFile } from "./config/localizer-config.ts";

/** What a run asks of the world around it, and whom it tells of what it does. */
export interface LocalizeOptions extends Pick<Outside, "clock" | "env" | "random"> {
  readonly reporter: Reporter;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/** Is told what happens to each file. */
export interface Reporter {
  /** Bytes that arrived; negative for those that are dropped and fetched again. */
  received(file: ResolvedFile, bytes: number): void;
  retrying(file: ResolvedFile, problem: string, waitMs: number): void;
  done(file: ResolvedFile, outcome: FileOutcome): void;
}

export interface FileOutcome {
  /** `present`: it was there already, and nothing was fetched. */
  readonly outcome: "fetched" | "present";
  readonly bytes: number;
  readonly seconds: number;
  /** Entries of an archive that was unpacked. */
  readonly unpacked?: number;
}
