import type { PodLife } from "./pod-life.ts";

/** Reads a line of the ledger; `undefined` if it is none. */
export function parsePodLife(text: string): PodLife | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isPodLife(value) ? value : undefined;
}

function isPodLife(value: unknown): value is PodLife {
  if (typeof value !== "object" || value === null) return false;
  const { role, pod, uid, cores, memory, ended, reason } = value as Readonly<Record<string, unknown>>;
  const isRole = role === "driver" || role === "executor";
  return isRole && [pod, uid, reason].every(isText) && [cores, memory, ended].every(Number.isFinite);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
