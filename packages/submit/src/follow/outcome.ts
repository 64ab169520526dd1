import { driverTermination, type Diagnosis, type PodState } from "@kindling/diagnosis";
import type { ExceededLimit } from "./time-limits.ts";

/** How an application ended, or why it is no longer followed. */
export type Outcome =
  | { readonly phase: "Succeeded"; readonly exitCode: 0 }
  | {
      readonly phase: "Failed";
      readonly exitCode: number;
      readonly reason: string | undefined;
      /** The cause, as far as it is known. */
      readonly diagnosis: Diagnosis;
    }
  /** The driver pod was deleted before it came to an end. */
  | { readonly phase: "Deleted" }
  /** The driver runs, and nothing more was to be waited for. */
  | { readonly phase: "Started" }
  /** A time limit has passed, and the application goes on. */
  | {
      readonly phase: "TimedOut";
      readonly limit: ExceededLimit;
      /** The state of the application, and what keeps it from going on. */
      readonly diagnosis: Diagnosis;
    };

/** The exit code and the reason of an application that failed. */
export function endOf(state: PodState, container: string): Pick<Outcome & { phase: "Failed" }, "exitCode" | "reason"> {
  const ended = driverTermination(state, container);
  const reason = state.reason ?? (ended?.name === container ? ended.reason : undefined);
  return { exitCode: ended?.exitCode || 1, reason };
}
