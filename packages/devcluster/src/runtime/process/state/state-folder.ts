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
import { KindlingError, isKindlingError, messageOf } from "@kindling/core-spec";
import { killRecorded } from "./recorded-processes.ts";
import { lockFolder } from "./lock.ts";

const MEMORY = "/dev/shm";
const ENOUGH = 256 * 1024 * 1024;

/** The folder in which a runtime keeps all that it makes. */
export class StateFolder {
  readonly path: string;
  /** Holds a folder for each pod. */
  readonly pods: string;
  /** Holds pipes for the containers to come. */
  readonly pipes: string;
  /** Holds a folder for each provisioned volume. */
  readonly volumes: string;
  /** Holds what is in memory, if the machine has such a place: volumes, and the small files of containers. */
  readonly memory: string;
  readonly #temporary: boolean;
  readonly #unlock: () => void;

  private constructor(path: string, temporary: boolean, unlock: () => void) {
    this.path = path;
    this.pods = join(path, "pods");
    this.volumes = join(path, "volumes");
    const name = `kindling-${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
    this.memory = isRoomy(MEMORY) ? join(MEMORY, name) : join(path, "memory");
    this.pipes = join(this.memory, "pipes");
    this.#temporary = temporary;
    this.#unlock = unlock;
  }

  /**
   * Takes a folder into use, and ends and removes what an earlier use has left.
   *
   * @throws KindlingError if it cannot be written to or another process uses it
   */
  static async open(given: string | undefined): Promise<StateFolder> {
    try {
      const path = given === undefined ? mkdtempSync(join(tmpdir(), "kindling-devcluster-")) : made(given);
      const unlock = lockFolder(path);
      try {
        const folder = new StateFolder(path, given === undefined, unlock);
        killRecorded(folder.pods);
        await folder.#clear();
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

function made(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

/** Removes a folder with all in it, also where containers took their own rights away. */
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
