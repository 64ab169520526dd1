import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Queue } from "@kindling/scheduler";
import type { Log } from "@kindling/service";
import { watchFiles } from "@kindling/settings";
import { parseQueues } from "./parse-queues.ts";

/** The queues that applications are in. */
export interface Queues {
  /** As they are now. */
  readonly root: Queue;
  /** Where an application goes: by the name that it gives, if it gives one. */
  queueOf(named: string | undefined): string;
  close(): void;
}

const DEFAULT_QUEUE = "default";
const NO_AMOUNTS = { guarantee: {}, ceiling: {} };

/** One queue, that all applications are in whatever they name. */
export const ONE_QUEUE: Queues = {
  root: {
    ...{ name: "root", weight: 1, ...NO_AMOUNTS },
    children: [{ name: DEFAULT_QUEUE, weight: 1, ...NO_AMOUNTS, children: [] }],
  },
  queueOf: () => DEFAULT_QUEUE,
  close: () => undefined,
};

export interface QueuesFileOptions {
  readonly clock: Clock;
  readonly reloadSeconds: number;
  readonly log: Log;
  /** Called when the file has changed: with whether it could be used. */
  readonly onReload: (outcome: "taken" | "refused") => void;
}

/**
 * Reads the queues from a file, and again when it changes. One that is wrong then is refused, and the queues stay.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE` for what is there at the start
 */
export async function readQueuesFile(path: string, options: QueuesFileOptions): Promise<Queues> {
  const { clock, reloadSeconds, log, onReload } = options;
  let root = ONE_QUEUE.root;
  // Looked at before it is read: a change in between is seen later.
  const watched = await watchFiles([path], {
    clock,
    intervalSeconds: reloadSeconds,
    async onChange() {
      try {
        root = await read(path);
        log.info("the queues were read again", { file: path });
        onReload("taken");
      } catch (error) {
        log.error("changed queues are refused, and stay as they were", { error: messageOf(error) });
        onReload("refused");
      }
    },
  });
  try {
    root = await read(path);
  } catch (error) {
    watched.close();
    throw error;
  }
  return {
    get root() {
      return root;
    },
    queueOf: (named) => named ?? DEFAULT_QUEUE,
    close: () => watched.close(),
  };
}

async function read(path: string): Promise<Queue> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `queues.file: cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return parseQueues(text, path);
}
