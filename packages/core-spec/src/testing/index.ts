export { examineStep, type StepExamination } from "./examine-step.ts";
export { sampleExecutor, sampleSubmission, type SampleOptions } from "./samples.ts";
export { memoryFiles } from "./memory-files.ts";
