import type { ConnectCondition, SparkConnect, SparkConnectStatus } from "@kindling/spark-application";
import { timeText } from "../application-states/status-changes.ts";

/** Stock's only condition. */
export const SERVER_READY = "ServerPodReady";
/** Whether this operator has stopped the server. Stock has no such condition, and keeps it. */
export const SERVER_STOPPED = "ServerStopped";

export type NewCondition = Omit<ConnectCondition, "lastTransitionTime">;

export function conditionOf({ conditions = [] }: SparkConnectStatus, type: string): ConnectCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Puts a condition in the place of the former one. Its time changes only with its status. */
export function withCondition(
  conditions: readonly ConnectCondition[],
  wanted: NewCondition,
  nowMs: number,
): readonly ConnectCondition[] {
  const former = conditions.find(({ type }) => type === wanted.type);
  const lastTransitionTime = former?.status === wanted.status ? former.lastTransitionTime : timeText(nowMs);
  const condition: ConnectCondition = { ...wanted, lastTransitionTime };
  return former === undefined
    ? [...conditions, condition]
    : conditions.map((one) => (one === former ? condition : one));
}

/**
 * Whether the server was stopped and has to stay so: the object still has an idle timeout, and its spec is the one of which
 * the server was stopped.
 */
export function isStopped({ metadata, status }: SparkConnect, idleTimeoutMs: number | undefined): boolean {
  const stopped = conditionOf(status, SERVER_STOPPED);
  return (
    idleTimeoutMs !== undefined && stopped?.status === "True" && stopped.observedGeneration === metadata.generation
  );
}
