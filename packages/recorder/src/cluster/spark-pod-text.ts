import type { SparkPod } from "./spark-pod.ts";

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
  return isPod && typeof state === "object" && state !== null ? (value as SparkPod) : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
