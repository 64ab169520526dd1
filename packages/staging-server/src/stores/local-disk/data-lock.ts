import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { sleep, type Clock } from "@kindling/staging-client";

/** The right to use a data folder alone. */
export interface DataLock {
  release(): Promise<void>;
}

export interface LockOptions {
  readonly clock: Clock;
  /** Tells this holder from any other. */
  readonly nonce: string;
  /** Somebody else took the folder over: stop using it at once. */
  readonly onLost: () => void;
  /** Identifies the running kernel, which containers of one node share; default: what Linux says. */
  readonly bootId?: string;
}

interface Holder {
  readonly bootId: string;
  readonly nonce: string;
  readonly beat: number;
  /** Whether the holder can be asked over `lock.sock`. */
  readonly socket: boolean;
}

const BEAT_MS = 2_000;
// Five missed beats: a holder on another node whose disk is that slow could not serve either.
const STALE_MS = 10_000;

/**
 * Takes a data folder for this process. Two servers on one folder would delete each other's blobs.
 *
 * A holder on the same machine is asked over a socket in the folder: it answers or is dead, at once, whichever container
 * it runs in; so a crashed server's successor need not wait. A holder that ran under another kernel (another node, or
 * before a reboot), or on a file system without sockets, is watched until its beats stay away.
 *
 * @throws KindlingError `CONF_CONFLICT` if somebody else uses the folder
 */
export async function lockData(root: string, options: LockOptions): Promise<DataLock> {
  const { clock, nonce } = options;
  const file = join(root, "lock");
  const socket = join(root, "lock.sock");
  const bootId = options.bootId ?? (await thisBoot());
  await waitUntilFree(root, clock, bootId);

  await unlink(socket).catch(() => undefined);
  const server = await listen(socket);
  let beat = 0;
  let stopped = false;
  const write = async (): Promise<void> => {
    const holder: Holder = { bootId, nonce, beat: beat++, socket: server !== undefined };
    await writeFile(`${file}.${nonce}`, JSON.stringify(holder));
    await rename(`${file}.${nonce}`, file);
  };
  await write();

  let cancel: () => void = () => undefined;
  let beating: Promise<void> = Promise.resolve();
  const tick = async (): Promise<void> => {
    const holder = parseHolder((await readText(file).catch(() => undefined)) ?? "");
    if (holder !== undefined && holder.nonce !== nonce) {
      stopped = true;
      options.onLost();
      return;
    }
    // A beat that cannot be written is made up for by the next one; a full disk must not end the server.
    await write().catch(() => undefined);
    schedule();
  };
  function schedule(): void {
    if (!stopped) {
      cancel = clock.after(BEAT_MS, () => {
        beating = tick();
      });
    }
  }
  schedule();

  return {
    async release() {
      const held = !stopped;
      stopped = true;
      cancel();
      await beating;
      await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
      if (held) await unlink(file).catch(() => undefined);
    },
  };
}

async function waitUntilFree(root: string, clock: Clock, bootId: string): Promise<void> {
  const file = join(root, "lock");
  const first = await readText(file);
  if (first === undefined) return;
  const holder = parseHolder(first);
  if (holder?.socket === true && holder.bootId === bootId && bootId !== UNKNOWN_BOOT) {
    if (await answers(join(root, "lock.sock"))) throw inUse(root);
    return;
  }
  const begin = clock.monotonic();
  while (clock.monotonic() - begin < STALE_MS) {
    await sleep(clock, BEAT_MS / 2);
    const now = await readText(file);
    if (now === undefined) return;
    if (now !== first) throw inUse(root);
  }
}

function inUse(root: string): KindlingError {
  return new KindlingError("CONF_CONFLICT", `the data folder ${root} is in use by another staging server`, {
    hint: "run one server per folder (a Deployment needs strategy Recreate), or use an s3 or webhdfs store for several",
  });
}

/** `undefined` only if there is no such file: one that cannot be read is somebody's. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

const UNKNOWN_BOOT = "unknown";

async function thisBoot(): Promise<string> {
  const id = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => UNKNOWN_BOOT);
  return id.trim();
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

/** `undefined` where there can be no socket: a file system without them, a path of more than 107 bytes. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.on("error", () => resolve(undefined));
    server.listen(path, () => resolve(server));
  });
}
