import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { sleep, type Clock } from "@kindling/outside";
import { NoPlainFileError, readPlainFile } from "./plain-file.ts";

/** Who has a lock file: what stands in it. */
export interface Holder {
  readonly bootId: string;
  /** Tells this holder from any other. */
  readonly nonce: string;
  /** The name of the socket at which the holder answers, `""` for none; `true` and `false` where an older version wrote it. */
  readonly socket: string | boolean;
  /** Counts up for as long as the holder runs. */
  readonly beat: number;
}

export const BEAT_MS = 2_000;
// Five missed beats: a holder on another node whose disk is that slow could not serve either.
export const STALE_MS = 10_000;
// Written over in place: always as long, so that nothing of an older beat is left behind it.
const TEXT_BYTES = 256;
const OLD_SOCKET = "lock.sock";
export const UNKNOWN_BOOT = "unknown";
const NO_FILE = "no file";

export function holderText(holder: Holder): string {
  return `${JSON.stringify(holder).padEnd(TEXT_BYTES - 1)}\n`;
}

/** `undefined` for what is no holder: an empty file, or one that is just being written. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const { bootId, nonce, socket, beat } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    if (typeof bootId !== "string" || typeof nonce !== "string" || typeof beat !== "number") return undefined;
    // Parts of file names: nobody may lead us elsewhere with them.
    if (!/^[\w-]{1,64}$/.test(nonce)) return undefined;
    if (typeof socket === "string" ? !/^(lock\.[\w.-]{1,64})?$/.test(socket) : typeof socket !== "boolean")
      return undefined;
    return { bootId, nonce, socket: socket as Holder["socket"], beat };
  } catch {
    return undefined;
  }
}

/** What tells the holder of a lock file from any other, whatever stands in the file. */
export function identityOf(text: string): string {
  return parseHolder(text)?.nonce ?? createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The socket of a holder; `undefined` if it has none. */
export function socketOf(root: string, holder: Holder): string | undefined {
  if (typeof holder.socket === "string") return holder.socket === "" ? undefined : join(root, holder.socket);
  return holder.socket ? join(root, OLD_SOCKET) : undefined;
}

/**
 * Whether the holder of a lock file still runs.
 *
 * One on the same machine is asked over its socket: it answers or is dead, at once, whichever container it runs in; so a
 * crashed server's successor need not wait. One that ran under another kernel (another node, or before a reboot), or on a
 * file system without sockets, is watched until its beats stay away.
 *
 * @param seen what the file says
 * @returns `gone` if the file has been removed meanwhile
 */
export async function stateOfHolder(
  path: string,
  seen: string,
  { clock, bootId }: { readonly clock: Clock; readonly bootId: string },
): Promise<"alive" | "dead" | "gone"> {
  const holder = parseHolder(seen);
  const socket = holder === undefined ? undefined : socketOf(dirname(path), holder);
  if (socket !== undefined && holder?.bootId === bootId && bootId !== UNKNOWN_BOOT) {
    const answer = await ask(socket);
    if (answer !== "unclear") return answer;
  }
  const begin = clock.monotonic();
  while (clock.monotonic() - begin < STALE_MS) {
    await sleep(clock, BEAT_MS / 2);
    const now = await readText(path);
    if (now === undefined) return "gone";
    if (now !== seen) return "alive";
  }
  return "dead";
}

/**
 * `undefined` only if there is no such file: one that cannot be read is somebody's. What no server can have written is
 * nobody's, and is told from everything that a server writes.
 */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readPlainFile(file)).toString("utf8");
  } catch (error) {
    if (error instanceof NoPlainFileError) return NO_FILE;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function thisBoot(): Promise<string> {
  const id = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => UNKNOWN_BOOT);
  return id.trim();
}

function ask(path: string): Promise<"alive" | "dead" | "unclear"> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve("alive");
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      // A socket that cannot take one more caller is somebody's, and so is one that we may not call.
      resolve(code === "ECONNREFUSED" || code === "ENOENT" ? "dead" : "unclear");
    });
  });
}
