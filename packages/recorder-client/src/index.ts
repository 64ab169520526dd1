export { type EventLogSource, fetchEventLog } from "./fetch-event-log.ts";
export { isName } from "./names.ts";
export type { KeptEventLog } from "./kept-event-log.ts";
export {
  type AskedPod,
  MOST_ASKED_PODS,
  POD_ENDS,
  type PodEnd,
  type PodEndsAnswer,
  type PodEndSoFar,
  type PodEndsQuestion,
  readPodEnds,
} from "./pod-ends.ts";
export { parsePodLife } from "./pod-life-text.ts";
export type { PodLife, PodRole } from "./pod-life.ts";
export {
  connectRecorder,
  type GroupUsage,
  type LogQuery,
  type RecorderAccess,
  type RecorderClient,
  type RunPage,
} from "./recorder-client.ts";
export { readRecord } from "./read-record.ts";
export { RecorderError, type RecorderErrorOptions } from "./recorder-error.ts";
export { MOST_NAMESPACES, type RunQuery } from "./run-query.ts";
export { RECORD_FORMAT, recordText, type RecordedLog, type RunRecord } from "./run-record.ts";
export { parseStage } from "./stage-text.ts";
export type { Stage, StageCost, StageState } from "./stage.ts";
export { parseRun, readRun, runText } from "./run-text.ts";
export { RUN_STATES, type Run, type RunPlace, type RunState, type Usage } from "./run.ts";
export { hoursText, reserved, type Reserved } from "./reserved.ts";
export { usageOf, UsageSum } from "./usage.ts";
