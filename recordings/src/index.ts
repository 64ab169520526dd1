export { commonArguments, factsOf, NAMESPACE } from "./common-arguments.ts";
export { differences } from "./differences.ts";
export {
  driverTraffic,
  executorRecordings,
  submitRecordings,
  type DriverRequest,
  type DriverTraffic,
  type ExecutorRecording,
  type SubmitRecording,
} from "./load.ts";
export {
  normalizeObject,
  recordedObjects,
  withPlaceholders,
  type Json,
  type JsonObject,
  type RecordedRequest,
} from "./normalize.ts";
export { refusalLines } from "./refusal-lines.ts";
export { namesIn, refusalSubjects } from "./refusal-subjects.ts";
export { runProgram, type Ran } from "./run-program.ts";
export { StubApiServer, type Rejection, type StubOptions } from "./stub-api-server.ts";
export { workFolder, writeFiles, type WorkFolder, type WrittenContent } from "./work-folder.ts";
