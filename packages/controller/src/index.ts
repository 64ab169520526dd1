export {
  againAfter,
  againLater,
  done,
  watch,
  type Controller,
  type ReconcileResult,
  type Watch,
} from "./controller.ts";
export {
  openTerm,
  startManager,
  type Manager,
  type ManagerOptions,
  type OpenTerm,
  type RunOptions,
  type Term,
  type TermOptions,
} from "./manager.ts";
export {
  startController,
  type ControllerLog,
  type LogLine,
  type RunningController,
  type WorkersOptions,
  type WorkObserver,
  type WorkResult,
} from "./workers.ts";
export { lead, type Leadership, type LeadershipOptions, type LeaseSettings } from "./leadership.ts";
export { startCache, type Cache, type CacheListener, type CacheOptions } from "./cache.ts";
export {
  createRecords,
  keyOf,
  type IndexFunction,
  type RecordChange,
  type RecordIdentity,
  type Records,
  type RecordsOptions,
} from "./records.ts";
export {
  createEventRecorder,
  type EventRecorder,
  type EventRecorderOptions,
  type EventSubject,
  type EventText,
  type NamedEvent,
} from "./event-recorder.ts";
export { createBackOff, type BackOff, type BackOffOptions } from "./back-off.ts";
export { createWorkQueue, type WorkQueue } from "./work-queue.ts";
export { createUndo, type Undo } from "./undo.ts";
