import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file of an event log. */
export interface EventFile {
  /** `eventlog_v2_ID/events_1_ID.zstd` */
  readonly path: string;
  readonly size: number;
  /** Whether Spark writes no more into it: there is a later one. */
  readonly isRolled: boolean;
}

const LOG = /^eventlog_v2_[A-Za-z0-9._-]+$/;
const EVENTS = /^events_(\d+)_[A-Za-z0-9._-]+$/;
const STATUS = /^appstatus_[A-Za-z0-9._-]+$/;

/**
 * The files of all event logs in a folder, in the order in which Spark has written them
 * (org.apache.spark.deploy.history.RollingEventLogFilesWriter, Spark 3.5 and 4.x).
 */
export async function eventFiles(folder: string): Promise<readonly EventFile[]> {
  const files: EventFile[] = [];
  for (const log of (await namesIn(folder)).filter((name) => LOG.test(name)).toSorted()) {
    const names = await namesIn(join(folder, log));
    const events = names.filter((name) => EVENTS.test(name)).toSorted((a, b) => indexOf(a) - indexOf(b));
    for (const name of [...events, ...names.filter((one) => STATUS.test(one))]) {
      const size = await sizeOf(join(folder, log, name));
      // Spark has renamed it since.
      if (size === undefined) continue;
      files.push({ path: `${log}/${name}`, size, isRolled: EVENTS.test(name) && name !== events.at(-1) });
    }
  }
  return files;
}

function indexOf(name: string): number {
  return Number(EVENTS.exec(name)?.[1] ?? 0);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(() => readdir(folder))) ?? [];
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await ifThere(() => stat(path)))?.size;
}

async function ifThere<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
