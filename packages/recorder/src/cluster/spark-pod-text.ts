import type { RunSecrets } from "../secrets/run-secrets.ts";
import { stateWithoutSecrets } from "../secrets/state-without-secrets.ts";
import type { SparkPod } from "./spark-pod.ts";

/** A pod as it may be written to the disk, for a process that no longer knows its secrets. */
export function keptPod(pod: SparkPod, secrets: RunSecrets): object {
  const [labels, state] = [secrets.cleanEntries(pod.labels), stateWithoutSecrets(pod.state, secrets)];
  return { ...pod, labels, state, secrets: undefined };
}

/** Reads a pod that an earlier process has written; `undefined` if the text is none. */
export function parseSparkPod(text: string): SparkPod | undefined {
  try {
    return asSparkPod(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A value that an earlier process has written; `undefined` if it is no pod. Only this program writes into its folder. */
export function asSparkPod(value: unknown): SparkPod | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { role, namespace, name, uid, id, state } = value as Readonly<Record<string, unknown>>;
  const isPod = (role === "driver" || role === "executor") && [namespace, name, uid, id].every(isText);
  return isPod && typeof state === "object" && state !== null ? { ...(value as SparkPod), secrets: [] } : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
