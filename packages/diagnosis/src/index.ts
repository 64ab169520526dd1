export { forApplication, inApplicationWords } from "./application-words.ts";
export { diagnose } from "./diagnose.ts";
export { isKeeper } from "./rules/executors.ts";
export type { Evidence } from "./evidence/evidence.ts";
export { inOrder, podEvent, type PodEvent } from "./evidence/pod-event.ts";
export { applicationPhase, isFinished, type PhasedPod } from "@kindling/core-spec";
export { driverTermination, hasStarted, keptBy } from "./evidence/containers.ts";
export {
  podState,
  type ContainerState,
  type DriverRestart,
  type HealedMemory,
  type PodDisruption,
  type PodState,
  type Termination,
} from "./evidence/pod-state.ts";
export { sparkContainer } from "./evidence/spark-container.ts";
export type { Cause, Diagnosis, ExecutorCounts, Finding, Role } from "./finding.ts";
export { isDeletedByUser } from "./rules/deleted-driver.ts";
export { outOfMemory, type MemoryKind } from "./log/out-of-memory.ts";
export { memoryAtEnd, type MemoryAtEnd } from "./rules/memory-at-end.ts";
export { exitCodeMeaning, exitCodeText } from "./rules/exit-code.ts";
export { forbiddenHint, grantCommand } from "./grants/forbidden-hint.ts";
export { roleObjects, roleRules, type Rule, type Purpose, type Subject } from "./grants/roles.ts";
