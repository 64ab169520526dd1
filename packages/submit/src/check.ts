export { checkSubmission, type CheckOptions, type CheckResult, type PlannedInput } from "./check/check-submission.ts";
