import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { sleep, type Clock } from "@kindling/outside";
import { NoPlainFileError, readPlainFile } from "./plain-file.ts";

/** The holder of a lock file, as the file says. */
export interface Holder {
  readonly bootId: string;
  /** Distinguishes this holder from any other. */
  readonly nonce: string;
  /** The name of the socket at which the holder answers, `""` for none; an older version wrote `true` or `false`. */
  readonly socket: string | boolean;
  /** Counts up for as long as the holder runs. */
  readonly beat: number;
}

export const BEAT_MS = 2_000;
// Five missed beats: a holder on another node with a disk this slow could not serve clients either.
export const STALE_MS = 10_000;
// The text is overwritten in place. It always has the same length, so that nothing of an older beat is left.
const TEXT_BYTES = 256;
const OLD_SOCKET = "lock.sock";
export const UNKNOWN_BOOT = "unknown";
const NO_FILE = "no file";

export function holderText(holder: Holder): string {
  return `${JSON.stringify(holder).padEnd(TEXT_BYTES - 1)}\n`;
}

/** `undefined` if the text names no holder: an empty file, or a file that is just being written. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const { bootId, nonce, socket, beat } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    if (typeof bootId !== "string" || typeof nonce !== "string" || typeof beat !== "number") return undefined;
    // These become parts of file names, so they must not lead to other folders.
    if (!/^[\w-]{1,64}$/.test(nonce)) return undefined;
    if (typeof socket === "string" ? !/^(lock\.[\w.-]{1,64})?$/.test(socket) : typeof socket !== "boolean")
      return undefined;
    return { bootId, nonce, socket: socket as Holder["socket"], beat };
  } catch {
    return undefined;
  }
}

/** The identity of a lock file's holder, whatever the file contains. */
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
 * A holder on the same machine is asked over its socket, in whichever container it runs: it answers at once or is dead.
 * So the successor of a crashed server need not wait. A holder under another kernel (another node, or before a reboot),
 * or on a file system without sockets, is watched until no more beats come.
 *
 * @param seen the contents of the file
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
 * `undefined` only if there is no such file: a file that cannot be read has a holder. Contents that no server can have
 * written have no holder, and differ from everything that a server writes.
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
      // A socket that accepts no more connections has an owner, and so has one without permission to connect.
      resolve(code === "ECONNREFUSED" || code === "ENOENT" ? "dead" : "unclear");
    });
  });
}
