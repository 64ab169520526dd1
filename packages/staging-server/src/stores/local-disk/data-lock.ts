import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { StoreError } from "../../errors/store-error.ts";
import { syncDirectory } from "./durable-folders.ts";
import { contender, type Contender, type ContenderOptions } from "./lock-file.ts";
import { BEAT_MS, identityOf, readText, STALE_MS, thisBoot } from "./lock-holder.ts";

/** The right to use a data folder alone. */
export interface DataLock {
  /**
   * Must be called before each write that could harm another holder. It costs nothing while this process runs. After a
   * pause in which another server may have taken the folder over, it reads the lock first.
   *
   * @throws StoreError `unavailable` if another server has taken it over
   */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions extends Pick<ContenderOptions, "linkFile"> {
  readonly clock: Clock;
  /** Distinguishes this holder from any other; letters, digits and dashes. */
  readonly nonce: string;
  /** Called when another server has taken the folder over: stop using it at once. */
  readonly onLost: () => void;
  /** Identifies the running kernel, which containers of one node share; default: Linux' value. */
  readonly bootId?: string;
}

/**
 * Takes a data folder for this process. Two servers on one folder would delete each other's blobs.
 *
 * @throws KindlingError `CONF_CONFLICT` if another server uses the folder
 */
export async function lockData(root: string, options: LockOptions): Promise<DataLock> {
  const { nonce, clock } = options;
  const path = join(root, "lock");
  const bootId = options.bootId ?? (await thisBoot());
  // The socket exists before the lock, so that a server that finds the lock can ask at once.
  const socket = `lock.${nonce.slice(0, 8)}.sock`;
  const server = await listen(join(root, socket));
  let mine: Contender | undefined;
  try {
    const holder = { bootId, nonce, socket: server === undefined ? "" : socket };
    mine = await contender(root, { ...options, holder });
    if (!(await mine.take(path))) throw inUse(root);
    await syncDirectory(root);
  } catch (error) {
    await mine?.close();
    await close(server);
    throw error;
  }
  return beatingLock(path, mine, { ...options, clock, server });
}

interface Held extends LockOptions {
  readonly server: Server | undefined;
}

function beatingLock(path: string, mine: Contender, { clock, onLost, server }: Held): DataLock {
  let count = 0;
  let state: "held" | "lost" | "released" = "held";
  let confirmedAt = clock.monotonic();
  let cancel: () => void = () => undefined;
  let beating: Promise<void> = Promise.resolve();

  /** Checks whether this server still has the lock; a lock that cannot be read now does not count as lost. */
  async function look(): Promise<void> {
    const begin = clock.monotonic();
    const text = await readText(path);
    // The file was removed by hand. The first server that links it has it.
    const held = text === undefined ? await mine.take(path) : identityOf(text) === mine.nonce;
    if (held) confirmedAt = begin;
    else if (state === "held") {
      state = "lost";
      onLost();
    }
  }

  async function tick(): Promise<void> {
    // If a beat cannot be written, the next one replaces it; a full disk must not end the server.
    await look().catch(() => undefined);
    if (state === "held") await mine.beat(++count).catch(() => undefined);
    schedule();
  }

  function schedule(): void {
    if (state !== "held") return;
    cancel = clock.after(BEAT_MS, () => {
      beating = tick();
    });
  }
  schedule();

  return {
    async confirm() {
      if (state === "held" && clock.monotonic() - confirmedAt > STALE_MS / 2) {
        await look().catch((error: unknown) => {
          throw new StoreError("unavailable", "the lock of the data folder cannot be read", error);
        });
      }
      if (state === "lost") throw new StoreError("unavailable", "another server has taken over the data folder");
    },
    async release() {
      const held = state === "held";
      if (held) state = "released";
      cancel();
      await beating;
      if (held) await mine.giveUp(path).catch(() => undefined);
      await mine.close().catch(() => undefined);
      await close(server);
    },
  };
}

function inUse(root: string): KindlingError {
  return new KindlingError("CONF_CONFLICT", `the data folder ${root} is in use by another staging server`, {
    hint: "run one server per folder (a Deployment needs strategy Recreate), or use an s3 or webhdfs store for several",
  });
}

// The room in a socket's address (`sun_path`), on the systems with the least. Node cuts longer paths off, and makes the
// socket somewhere else.
const MOST_SOCKET_PATH_BYTES = 103;

/** `undefined` if no socket is possible: the path is too long, or the file system has no sockets. */
async function listen(path: string): Promise<Server | undefined> {
  if (Buffer.byteLength(path) > MOST_SOCKET_PATH_BYTES) return undefined;
  return await new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.on("error", () => resolve(undefined));
    server.listen(path, () => resolve(server));
  });
}

async function close(server: Server | undefined): Promise<void> {
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
}
