import { messageOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { type BackOffOptions, createBackOff } from "./back-off.ts";
import type { Controller, ReconcileResult } from "./controller.ts";
import { createWorkQueue } from "./work-queue.ts";

/** How the reconciliation of a key ended. If it asks to be repeated after a time, without a fault, it is a `success`. */
export type WorkResult = "success" | "error" | "requeue";

/** Is told what happens in a controller's queue and to its workers. */
export interface WorkObserver {
  /** A key waits for the next free worker. */
  added(key: string): void;
  /** A key will be reconciled later: after a delay, or again after a fault. */
  retried(key: string): void;
  started(key: string): void;
  ended(key: string, result: WorkResult): void;
  /** The waiting keys will not be reconciled any more. */
  stopped(): void;
}

/** Logs a message with its fields. */
export type LogLine = (
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

export type ControllerLog = Readonly<Record<"debug" | "info" | "warn" | "error", LogLine>>;

export interface WorkersOptions extends Pick<Outside, "clock" | "random"> {
  readonly log: ControllerLog;
  /** Default: 200 ms to 30 s, with jitter. */
  readonly backOff?: BackOffOptions | undefined;
  readonly observer?: WorkObserver | undefined;
  /** Told of the error that `reconcile` threw; the key is tried again. Default: a warning in the log. */
  readonly onFault?: ((key: string, error: unknown) => void) | undefined;
}

/** A running controller. */
export interface RunningController {
  readonly name: string;
  /** Adds a key to be reconciled as soon as possible. */
  add(key: string): void;
  /** Adds a key to be reconciled after this time at the latest. */
  addAfter(key: string, milliseconds: number): void;
  /** Whether a key waits for a worker, or has one. */
  has(key: string): boolean;
  /** How many keys wait for a worker. */
  readonly waiting: number;
  /** How many keys have a worker. */
  readonly busy: number;
  /** Accepts no more keys, and drops those that wait; resolves when the running reconciliations have ended. */
  stop(): Promise<void>;
}

/** Node's timers take at most 24 days; an early reconciliation finds nothing to do and waits again. */
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Starts a controller: its watches add keys, and its workers reconcile them. */
export function startController(controller: Controller, options: WorkersOptions): RunningController {
  const { name, watches, workers } = controller;
  const { clock, random, log, observer } = options;
  const backOff = createBackOff(options.backOff ?? { baseMs: 200, capMs: 30_000, jitter: random });
  const queue = createWorkQueue(clock);
  let isStopping = false;
  const onFault =
    options.onFault ??
    ((key: string, error: unknown) =>
      log.warn("a key could not be reconciled, and is tried again", {
        controller: name,
        key,
        error: messageOf(error),
      }));

  function add(key: string): void {
    if (isStopping) return;
    observer?.added(key);
    queue.add(key);
  }

  function addAfter(key: string, milliseconds: number): void {
    if (isStopping) return;
    observer?.retried(key);
    queue.addAfter(key, Math.min(milliseconds, LONGEST_WAIT_MS));
  }

  function after(key: string, result: ReconcileResult): void {
    if (result.kind === "again-later") return addAfter(key, backOff.delayMs(key));
    backOff.forget(key);
    if (result.kind === "again-after") addAfter(key, Math.max(0, result.ms));
  }

  async function see(key: string): Promise<void> {
    observer?.started(key);
    try {
      const result = await controller.reconcile(key);
      observer?.ended(key, result.kind === "again-later" ? "requeue" : "success");
      after(key, result);
    } catch (error) {
      observer?.ended(key, "error");
      onFault(key, error);
      addAfter(key, backOff.delayMs(key));
    }
  }

  async function work(): Promise<void> {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      if (!isStopping) await see(key);
      queue.done(key);
    }
  }

  const running = Array.from({ length: workers }, work);
  const ends = watches.map((begin) => begin(add));
  return {
    name,
    add,
    addAfter,
    has: (key) => queue.has(key),
    get waiting() {
      return queue.size;
    },
    get busy() {
      return queue.busy;
    },
    async stop() {
      isStopping = true;
      for (const end of ends) end();
      queue.shutDown();
      await Promise.all(running);
      observer?.stopped();
    },
  };
}
