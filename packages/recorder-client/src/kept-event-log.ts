import { isName } from "./names.ts";

/** The files of an event log. */
export interface KeptEventLog {
  /** The folder that Spark's history server expects them in: `eventlog_v2_spark-…`. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly size: number }[];
}

/** Reads an answer about an event log; `undefined` if it is none, or has names that are no names of files. */
export function readKeptEventLog(value: unknown): KeptEventLog | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { folder, files } = value as Readonly<Record<string, unknown>>;
  if (typeof folder !== "string" || !isName(folder) || !Array.isArray(files)) return undefined;
  const read: { readonly name: string; readonly size: number }[] = [];
  for (const file of files as readonly unknown[]) {
    if (typeof file !== "object" || file === null) return undefined;
    const { name, size } = file as Readonly<Record<string, unknown>>;
    if (typeof name !== "string" || !isName(name) || typeof size !== "number") return undefined;
    read.push({ name, size });
  }
  return { folder, files: read };
}
