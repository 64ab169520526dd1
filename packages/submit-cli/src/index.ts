export { submit, type SubmissionResult, type SubmitOptions } from "./submit.ts";
export type { Application, SubmissionEvent } from "@kindling/submit";
export type { Outcome } from "@kindling/submit";
