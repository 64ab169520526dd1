import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Queue } from "@kindling/admission";
import { type Log, watchFiles } from "@kindling/service";
import type { KeptQueues } from "./kept-queues.ts";
import type { ConfiguredClass } from "./node-class-fields.ts";
import { parseQueues, type QueuesRead, readQueues } from "./parse-queues.ts";

/** The queues that applications are in. */
export interface Queues {
  /** As they are now. */
  readonly root: Queue;
  /** The classes of nodes that may still come, as they are now. */
  readonly nodeClasses: readonly ConfiguredClass[];
  /** A sentence that says why the file is not used, and what is used instead; undefined if the file is used. */
  readonly refused: string | undefined;
  /** The queue of an application: by the name that it gives, if it gives one. */
  queueOf(named: string | undefined): string;
  close(): void;
}

const DEFAULT_QUEUE = "default";
const NO_AMOUNTS = { guarantee: {}, ceiling: {} };

/** One queue for all applications, whatever queue they name. */
export const ONE_QUEUE: Queues = {
  root: {
    ...{ name: "root", weight: 1, ...NO_AMOUNTS },
    children: [{ name: DEFAULT_QUEUE, weight: 1, ...NO_AMOUNTS, children: [] }],
  },
  nodeClasses: [],
  refused: undefined,
  queueOf: () => DEFAULT_QUEUE,
  close: () => undefined,
};

export interface QueuesFileOptions {
  readonly clock: Clock;
  readonly reloadSeconds: number;
  readonly log: Log;
  /** Where the last valid file is kept; undefined: nowhere. */
  readonly kept: KeptQueues | undefined;
  /** Called when the file has changed, and told whether it could be used. */
  readonly onReload: (outcome: "taken" | "refused") => void;
}

/** The queues in use, and why they are not those of the current file. */
interface Current extends Omit<QueuesRead, "fault"> {
  readonly refused: string | undefined;
}

/**
 * Reads the queues from a file, and again when it changes. If the changed file is wrong, it is refused and the queues stay.
 * If the file is wrong at the start, the queues of the last valid file are used; without such a file, those queues of the
 * file that have no faults.
 *
 * @throws KindlingError `FILE_UNREADABLE` if there is no file at the start, and no earlier file is known
 */
export async function readQueuesFile(path: string, options: QueuesFileOptions): Promise<Queues> {
  const { clock, reloadSeconds, log, kept, onReload } = options;
  let current: Current = ONE_QUEUE;
  // Watched before it is read, so that no change in between is missed.
  const watched = await watchFiles([path], {
    clock,
    intervalSeconds: reloadSeconds,
    async onChange() {
      try {
        const text = await read(path);
        current = { ...parseQueues(text, path), refused: undefined };
        log.info("the queues were read again", { file: path });
        onReload("taken");
        void kept?.keep(text);
      } catch (error) {
        log.error("changed queues are refused, and stay as they were", { error: messageOf(error) });
        current = { ...current, refused: refusal("the queues are as they were before", error) };
        onReload("refused");
        kept?.tellRefused(current.refused ?? "");
      }
    },
  });
  try {
    current = await readFirst(path, options);
  } catch (error) {
    watched.close();
    throw error;
  }
  return {
    get root() {
      return current.root;
    },
    get nodeClasses() {
      return current.nodeClasses;
    },
    get refused() {
      return current.refused;
    },
    queueOf: (named) => named ?? DEFAULT_QUEUE,
    close: () => watched.close(),
  };
}

async function readFirst(path: string, options: QueuesFileOptions): Promise<Current> {
  const text = await firstText(path);
  if (typeof text !== "string") return await instead(text, undefined, options);
  const { fault, ...read } = readQueues(text, path);
  if (fault !== undefined) return await instead(fault, read, options);
  void options.kept?.keep(text);
  return { ...read, refused: undefined };
}

/** What is used instead of a file that is wrong at the start. */
async function instead(
  fault: KindlingError,
  good: Omit<QueuesRead, "fault"> | undefined,
  { log, kept }: QueuesFileOptions,
): Promise<Current> {
  const last = await lastGood(kept);
  const read = last ?? good;
  if (read === undefined) throw fault;
  const what = last === undefined ? partWords(read.root) : "the queues are those of the last valid file";
  log.error("the queues are refused", { error: fault.message, instead: what });
  const refused = refusal(what, fault);
  kept?.tellRefused(refused);
  return { ...read, refused };
}

async function firstText(path: string): Promise<string | KindlingError> {
  try {
    return await read(path);
  } catch (error) {
    if (error instanceof KindlingError) return error;
    throw error;
  }
}

async function lastGood(kept: KeptQueues | undefined): Promise<Omit<QueuesRead, "fault"> | undefined> {
  const text = await kept?.read();
  if (text === undefined) return undefined;
  const { fault, ...read } = readQueues(text, "the last good queues");
  return fault === undefined ? read : undefined;
}

function partWords({ children }: Queue): string {
  const names = children.map(({ name }) => name);
  return names.length === 0
    ? "there is no queue, and every application waits"
    : `only its queues without faults are there: ${names.join(", ")}`;
}

function refusal(what: string, error: unknown): string {
  return `the file of queues is refused, and ${what}: ${messageOf(error)}`;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `queues.file: cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
