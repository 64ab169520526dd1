export { submit, type SubmissionResult, type SubmitOptions } from "./submit.ts";
export type { Application, SubmissionEvent } from "./events.ts";
export type { Outcome } from "./follow/follow-application.ts";
