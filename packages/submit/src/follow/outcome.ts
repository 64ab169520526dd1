import { driverTermination, type Diagnosis, type PodState } from "@kindling/diagnosis";
import type { ExceededLimit } from "./time-limits.ts";

/** How an application ended, or why it is no longer followed. */
export type Outcome =
  | { readonly phase: "Succeeded"; readonly exitCode: 0 }
  | {
      readonly phase: "Failed";
      readonly exitCode: number;
      readonly reason: string | undefined;
      /** Why, as far as could be found out. */
      readonly diagnosis: Diagnosis;
    }
  /** The driver pod was deleted before it came to an end. */
  | { readonly phase: "Deleted" }
  /** Its driver runs, and no more was to be waited for. */
  | { readonly phase: "Started" }
  /** A limit of time is over, and the application goes on. */
  | {
      readonly phase: "TimedOut";
      readonly limit: ExceededLimit;
      /** How the application is, and what keeps it. */
      readonly diagnosis: Diagnosis;
    };

/** The exit code and the reason of an application that failed. */
export function endOf(state: PodState, container: string): Pick<Outcome & { phase: "Failed" }, "exitCode" | "reason"> {
  const ended = driverTermination(state, container);
  const reason = state.reason ?? (ended?.name === container ? ended.reason : undefined);
  return { exitCode: ended?.exitCode || 1, reason };
}
