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
   * To be called before each write that another holder would suffer from. Costs nothing as long as this process runs;
   * after a pause in which somebody may have taken the folder over, it looks first.
   *
   * @throws StoreError `unavailable` if somebody has
   */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export interface LockOptions extends Pick<ContenderOptions, "linkFile"> {
  readonly clock: Clock;
  /** Tells this holder from any other; letters, digits and dashes. */
  readonly nonce: string;
  /** Somebody else took the folder over: stop using it at once. */
  readonly onLost: () => void;
  /** Identifies the running kernel, which containers of one node share; default: what Linux says. */
  readonly bootId?: string;
}

/**
 * Takes a data folder for this process. Two servers on one folder would delete each other's blobs.
 *
 * @throws KindlingError `CONF_CONFLICT` if somebody else uses the folder
 */
export async function lockData(root: string, options: LockOptions): Promise<DataLock> {
  const { nonce, clock } = options;
  const path = join(root, "lock");
  const bootId = options.bootId ?? (await thisBoot());
  // There before the lock is: whoever finds the lock can ask at once.
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

  /** Whether the lock still is this one's; what cannot be read now is not taken for lost. */
  async function look(): Promise<void> {
    const begin = clock.monotonic();
    const text = await readText(path);
    // Somebody has removed it by hand. Whoever links first has it.
    const held = text === undefined ? await mine.take(path) : identityOf(text) === mine.nonce;
    if (held) confirmedAt = begin;
    else if (state === "held") {
      state = "lost";
      onLost();
    }
  }

  async function tick(): Promise<void> {
    // A beat that cannot be written is made up for by the next one; a full disk must not end the server.
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

// What a socket's address has room for (`sun_path`), on the systems with the least. Node cuts longer ones off, and makes
// the socket somewhere else.
const MOST_SOCKET_PATH_BYTES = 103;

/** `undefined` where there can be no socket: a path that is too long, a file system without them. */
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
