export { examine } from "./doctor/examine.ts";
export type { ExamineOptions } from "./doctor/examine-options.ts";
export type { Checkup, CheckupState } from "./doctor/finding.ts";
export { checkSubmission, type CheckOptions, type CheckResult, type PlannedInput } from "./check/check-submission.ts";
