import type { PodChanges } from "@kindling/core-spec";
import { changesAsData, readChanges } from "../pod-changes/changes-as-data.ts";
import { handedDependencies, readHandedDependencies, type HandedDependencies } from "../staged/handed-dependencies.ts";
import { isRecord, isText } from "../plain-data.ts";

/** A step with an executor half that the gateway runs. */
export type HandedStep =
  /** A step that the gateway's operator has installed there. */
  | { readonly name: string; readonly dependencies?: never; readonly changes?: never }
  /** One of Kindling's own steps, which brings dependencies. */
  | { readonly name: string; readonly dependencies: HandedDependencies; readonly changes?: never }
  /** A step that does the same to all executors. */
  | { readonly name: string; readonly dependencies?: never; readonly changes: PodChanges };

/** What a submission tells the gateway about the steps of its executors. Plain data without secrets. */
export interface ExecutorHandover {
  readonly sparkVersion: string;
  readonly appName: string;
  /** Kindling's own keys that the steps read: all others are in the driver's configuration. */
  readonly conf: Readonly<Record<string, string>>;
  /** In their order. */
  readonly steps: readonly HandedStep[];
}

/** The entry of the ConfigMap with this data. */
export const HANDOVER_ENTRY = "executor-steps.json";

const VERSION = 1;

export function formatHandover({ steps, ...handover }: ExecutorHandover): string {
  const handed = steps.map(({ name, dependencies, changes }) => ({
    name,
    ...(dependencies !== undefined && { dependencies: handedDependencies(dependencies.by, dependencies) }),
    ...(changes !== undefined && { changes: changesAsData(changes) }),
  }));
  return `${JSON.stringify({ version: VERSION, ...handover, steps: handed }, null, 2)}\n`;
}

/** Reads what {@link formatHandover} made; undefined for anything else. */
export function parseHandover(text: string): ExecutorHandover | undefined {
  const value = jsonOf(text);
  if (!isRecord(value) || value["version"] !== VERSION) return undefined;
  const { sparkVersion, appName, conf, steps } = value;
  if (!isText(sparkVersion) || !isText(appName) || !isTexts(conf)) return undefined;
  if (!Array.isArray(steps)) return undefined;
  const handed = steps.map(readStep).filter((step) => step !== undefined);
  return handed.length === steps.length ? { sparkVersion, appName, conf, steps: handed } : undefined;
}

function readStep(value: unknown): HandedStep | undefined {
  if (!isRecord(value)) return undefined;
  const { name, dependencies, changes } = value;
  if (typeof name !== "string" || (dependencies !== undefined && changes !== undefined)) return undefined;
  if (changes !== undefined) {
    const read = readChanges(changes);
    return read && { name, changes: read };
  }
  if (dependencies === undefined) return { name };
  const read = readHandedDependencies(dependencies);
  return read && { name, dependencies: read };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(isText);
}
