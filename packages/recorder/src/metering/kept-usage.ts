import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "@kindling/stores";
import type { UsageRow } from "./usage-totals.ts";

/** What a process leaves to the next one, so that it counts nothing twice and forgets nothing. */
export interface KeptUsage {
  /** Usage until then is counted, milliseconds since the epoch. */
  readonly until: number;
  /** Of this, monitoring systems were not told. */
  readonly usage: readonly UsageRow[];
  readonly ended: readonly UsageRow[];
  /** Runs that are counted, and whose folders may still be there. */
  readonly counted: readonly string[];
}

const FILE = "usage.json";

/** Reads what the process before has left; `undefined` if it has left nothing. */
export async function readUsage(folder: string): Promise<KeptUsage | undefined> {
  const text = await readIfThere(join(folder, FILE));
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function writeUsage(folder: string, kept: KeptUsage): Promise<void> {
  const path = join(folder, FILE);
  await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function isKept(value: unknown): value is KeptUsage {
  if (typeof value !== "object" || value === null) return false;
  const { until, usage, ended, counted } = value as Readonly<Record<string, unknown>>;
  return Number.isFinite(until) && areRows(usage) && areRows(ended) && areTexts(counted);
}

function areRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { labels, amounts } = value as Readonly<Record<string, unknown>>;
  if (typeof labels !== "object" || labels === null || !areTexts(Object.values(labels))) return false;
  const hasAll = ["namespace", "queue", "team"].every((name) => name in labels);
  return hasAll && Array.isArray(amounts) && amounts.every(Number.isFinite);
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
