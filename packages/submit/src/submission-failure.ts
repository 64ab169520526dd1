import type { Application } from "./events.ts";

/** How far a submission got before it failed. */
export type SubmissionPhase = "gather" | "plan" | "apply" | "follow";

/** What is known about a submission that ended in an error. */
export interface SubmissionFailure {
  /** `follow` means that the application was submitted and goes on; in any other phase the submission was refused. */
  readonly phase: SubmissionPhase;
  /** The application that was submitted. */
  readonly application: Application | undefined;
}

const FAILURE = Symbol.for("@kindling/submit/failure");

/** How far the submission got that ended in this error; `undefined` for any other error. */
export function failureOf(error: unknown): SubmissionFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  return Reflect.get(error, FAILURE) as SubmissionFailure | undefined;
}

/** Runs one phase of a submission; an error in it records the phase. */
export async function inPhase<T>(
  phase: SubmissionPhase,
  body: () => T | Promise<T>,
  application?: Application,
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof Error) Object.defineProperty(error, FAILURE, { value: { phase, application } });
    throw error;
  }
}
