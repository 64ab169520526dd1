import { readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { type Clock, sleep } from "@kindling/outside";
import { readIfThere } from "@kindling/stores";

/** Tells a boot of a machine from all others (Linux, proc_sys_kernel(5)). */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";
const HOLDER = "holder.json";
const SOCKET = "holder.sock";
/** In bytes; Node cuts longer paths off (Linux, unix(7)). */
const LONGEST_SOCKET = 107;

interface Holder {
  /** Its name in the Lease. */
  readonly identity: string;
  readonly boot: string;
}

/** A process that has the folder for what is not in the archive yet. */
export interface FolderHolder {
  /** Its name in the Lease. */
  readonly identity: string;
  close(): Promise<void>;
}

/** A kubelet gives a pod two seconds that is deleted by force, and others half a minute. */
const ENDS_MS = 10_000;
const LOOK_MS = 100;

/**
 * Takes the folder, and finds the name by which this process holds the Lease. If the process that had the folder before has ended
 * for certain, it is that one's name, so that nobody waits until its Lease has run out. It is certain if that process ran on this
 * machine since its last start, and nobody answers at its socket: a process that was stopped or is slow still does. One that is
 * about to end is waited for.
 *
 * Where the folder can have no sockets, the name is this process's own.
 *
 * @param signal ends the waiting
 */
export async function holdFolder(
  folder: string,
  own: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<FolderHolder> {
  const [holderFile, socket] = [join(folder, HOLDER), join(folder, SOCKET)];
  if (Buffer.byteLength(socket) > LONGEST_SOCKET) return { identity: own, close: () => Promise.resolve() };
  const boot = await readFile(BOOT_ID, "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );
  const giveUp = clock.monotonic() + ENDS_MS;
  let isThere = await answers(socket);
  while (isThere && !signal.aborted && clock.monotonic() < giveUp) {
    await sleep(clock, LOOK_MS, signal);
    isThere = await answers(socket);
  }
  // The files stay those of the other process.
  if (isThere) return { identity: own, close: () => Promise.resolve() };
  const before = parseHolder(await readIfThere(holderFile));
  const identity = before !== undefined && before.boot === boot ? before.identity : own;
  // Until this process has its socket, nobody may think that it has ended.
  await rm(holderFile, { force: true });
  await rm(socket, { force: true });
  const server = await listening(socket);
  // On a disk that is full, the next process waits for the Lease. That is no reason not to record.
  if (server !== undefined && boot !== undefined)
    await writeFile(holderFile, JSON.stringify({ identity, boot }), { mode: 0o600 }).catch(() => undefined);
  return {
    identity,
    // The file stays: the token of a pod that was deleted by force is worth nothing, so it cannot give its Lease back.
    async close() {
      if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether a process listens at a socket. */
async function answers(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const connection = connect(path);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    // Only these two say that nobody listens.
    connection.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== "ECONNREFUSED" && code !== "ENOENT"),
    );
  });
}

/** @returns `undefined` where there can be no sockets */
async function listening(path: string): Promise<Server | undefined> {
  const server = createServer((connection) => void connection.destroy());
  return await new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

function parseHolder(text: string | undefined): Holder | undefined {
  try {
    const { identity, boot } = JSON.parse(text ?? "") as Readonly<Record<string, unknown>>;
    return typeof identity === "string" && typeof boot === "string" ? { identity, boot } : undefined;
  } catch {
    return undefined;
  }
}
