import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pid } from "node:process";
import { KindlingError, isKindlingError, messageOf } from "@kindling/core-spec";
import { processEntry } from "../host/process-table.ts";
import { killRecorded } from "./recorded-processes.ts";
import { lockFolder } from "./lock.ts";

const MEMORY = "/dev/shm";
const ENOUGH = 256 * 1024 * 1024;

/** The folder in which a runtime keeps everything that it creates. */
export class StateFolder {
  readonly path: string;
  /** Contains a folder for each pod. */
  readonly pods: string;
  /** Contains pipes for later containers. */
  readonly pipes: string;
  /** Contains a folder for each provisioned volume. */
  readonly volumes: string;
  /** Contains what is in memory, if the machine has such a place: volumes, and the small files of containers. */
  readonly memory: string;
  readonly #temporary: boolean;
  readonly #unlock: () => void;

  private constructor(path: string, temporary: boolean, unlock: () => void) {
    this.path = path;
    this.pods = join(path, "pods");
    this.volumes = join(path, "volumes");
    this.memory = isRoomy(MEMORY) ? join(MEMORY, memoryName(path)) : join(path, "memory");
    this.pipes = join(this.memory, "pipes");
    this.#temporary = temporary;
    this.#unlock = unlock;
  }

  /**
   * Starts to use a folder, and ends and removes what an earlier use has left.
   *
   * @throws KindlingError if it is not writable or another process uses it
   */
  static async open(given: string | undefined): Promise<StateFolder> {
    try {
      const path = given === undefined ? mkdtempSync(join(tmpdir(), "kindling-devcluster-")) : made(given);
      const unlock = lockFolder(path);
      try {
        const folder = new StateFolder(path, given === undefined, unlock);
        killRecorded(folder.pods);
        await folder.#clear();
        await removeAbandoned();
        for (const one of [folder.pods, folder.volumes, folder.memory]) mkdirSync(one, { mode: 0o700 });
        return folder;
      } catch (error) {
        unlock();
        throw error;
      }
    } catch (error) {
      if (isKindlingError(error)) throw error;
      const message = `the state folder ${given ?? tmpdir()} cannot be used: ${messageOf(error)}`;
      throw new KindlingError("FILE_UNREADABLE", message, { hint: "use a state folder that can be written to" });
    }
  }

  async close(): Promise<void> {
    await this.#clear();
    this.#unlock();
    if (this.#temporary) await rm(this.path, { recursive: true, force: true });
  }

  async #clear(): Promise<void> {
    for (const one of [this.pods, this.volumes, this.memory]) await removeTree(one);
  }
}

/** Whether there is space for volumes. In a container of another engine there may be little, or none. */
function isRoomy(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    accessSync(path, constants.W_OK);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}

/** The name of a folder in memory, which identifies its owner: if the cluster was killed, its state folder may be gone. */
function memoryName(path: string): string {
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return `kindling-${pid}-${processEntry(pid)?.startTime ?? ""}-${hash}`;
}

/** Removes what killed clusters have left in memory. */
async function removeAbandoned(): Promise<void> {
  if (!isRoomy(MEMORY)) return;
  for (const name of readdirSync(MEMORY)) {
    const [, owner, startTime] = /^kindling-(\d+)-(\d+)-[0-9a-f]+$/.exec(name) ?? [];
    if (owner === undefined || processEntry(Number(owner))?.startTime === startTime) continue;
    // The folder of another user cannot be removed.
    await removeTree(join(MEMORY, name)).catch(() => undefined);
  }
}

function made(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

/** Removes a folder with its content, even if containers removed their own rights to it. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    openFolders(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function openFolders(path: string): void {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(path, entry.name));
  }
}
