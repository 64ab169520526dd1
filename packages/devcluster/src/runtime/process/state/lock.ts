import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { pid } from "node:process";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { processEntry } from "../host/process-table.ts";

interface Owner {
  readonly pid: number;
  readonly startTime: string;
}

/**
 * Locks a folder for this process. A lock of a process that has died is ignored. Returns a function that releases it.
 *
 * @throws KindlingError if another process has the lock
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, "lock");
  const own: Owner = { pid, startTime: processEntry(pid)?.startTime ?? "" };
  const draft = join(folder, `lock.${pid}.${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(own));
  try {
    for (;;) {
      if (tryLink(draft, lock)) return () => rmSync(lock, { force: true });
      const owner = readOwner(lock);
      if (owner !== undefined && processEntry(owner.pid)?.startTime === owner.startTime) {
        const message = `the state folder ${folder} is used by another cluster, process ${owner.pid}`;
        throw new KindlingError("OBJECT_CONFLICT", message, { hint: "stop that cluster, or use another state folder" });
      }
      // If several find the lock of a dead process, one moves it away; the others find no lock or a new one.
      tryRename(lock, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
    rmSync(`${draft}.stale`, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function tryRename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function readOwner(lock: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}
