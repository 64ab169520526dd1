import { messageOf } from "@kindling/core-spec";
import type { Clock, Random } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { ExecutorLogs } from "../logs/executor-logs.ts";
import { followLog } from "../logs/follow-log.ts";
import type { LogReader } from "../logs/log-reader.ts";

export interface LeavingLogsOptions {
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly executorLogs: ExecutorLogs;
  readonly signal: AbortSignal;
}

/** The log of an executor whose pod is being deleted. */
export interface LeavingLog {
  readonly pod: string;
  readonly reader: Promise<LogReader>;
  /** Whether Spark's container has ended. */
  readonly hasEnded: () => boolean;
}

/** What came of following a log; not followed: the rest of it has to be read. */
export type Followed = { readonly isFollowed: true; readonly gap: string | undefined } | { readonly isFollowed: false };

interface Leaving {
  readonly stop: AbortController;
  readonly result: Promise<Followed>;
  /** Resolves when the log has begun to come, or cannot be followed. */
  readonly opened: Promise<void>;
  readonly onOpen: () => void;
  isGone: boolean;
  isFollowing: boolean;
}

/** After its pod is gone, a log is read for so long, if it still comes. */
const AFTER_THE_POD_MS = 10_000;
const NOT_FOLLOWED: Followed = { isFollowed: false };

/**
 * Follows the logs of executors from the deletion of their pods on. A deleted pod is gone as soon as its containers have ended,
 * often before its end can be seen: what it wrote last can be had only while it ends.
 */
export class LeavingLogs {
  readonly #options: LeavingLogsOptions;
  /** By the uid of the executor. */
  readonly #leaving = new Map<string, Leaving>();

  constructor(options: LeavingLogsOptions) {
    this.#options = options;
  }

  /** Begins to follow, if that has not begun. Resolves when the log has begun to come, or cannot be followed. */
  async begin(uid: string, log: LeavingLog): Promise<void> {
    const known = this.#leaving.get(uid);
    if (known !== undefined) return await known.opened;
    const stop = new AbortController();
    const { promise: result, resolve } = withResolvers<Followed>();
    const { promise: opened, resolve: onOpen } = withResolvers<void>();
    const leaving: Leaving = { stop, result, opened, onOpen, isGone: false, isFollowing: false };
    this.#leaving.set(uid, leaving);
    const signal = AbortSignal.any([stop.signal, this.#options.signal]);
    this.#follow(uid, log, leaving, signal).then(resolve, (error: unknown) => {
      this.#options.log.warn("an executor's log cannot be followed", { pod: log.pod, error: messageOf(error) });
      resolve(NOT_FOLLOWED);
    });
    void result.then(() => onOpen());
    await opened;
  }

  /** The pod is gone: what still comes of its log is taken for a few seconds. */
  gone(uid: string): void {
    const leaving = this.#leaving.get(uid);
    if (leaving === undefined) return;
    leaving.isGone = true;
    this.#options.clock.after(AFTER_THE_POD_MS, () => leaving.stop.abort());
  }

  /**
   * Spark has ended, or its pod is gone. Waits until the log has been followed to its end.
   *
   * @param patience when to give up
   */
  async end(uid: string, patience: AbortSignal): Promise<Followed> {
    const leaving = this.#leaving.get(uid);
    if (leaving === undefined) return NOT_FOLLOWED;
    const stop = (): void => leaving.stop.abort();
    if (leaving.isFollowing) patience.addEventListener("abort", stop, { once: true });
    else stop();
    try {
      return await leaving.result;
    } finally {
      patience.removeEventListener("abort", stop);
      this.#leaving.delete(uid);
    }
  }

  async #follow(uid: string, log: LeavingLog, leaving: Leaving, signal: AbortSignal): Promise<Followed> {
    const { clock, random, executorLogs } = this.#options;
    const reader = await log.reader;
    // Its pod may be gone before it is its turn.
    if (!executorLogs.mayFollow) await executorLogs.readToEnd({ reader, isRunning: () => false }, signal);
    return await executorLogs.follow<Followed>(signal, NOT_FOLLOWED, async () => {
      leaving.isFollowing = true;
      executorLogs.end(uid);
      const stateOf = (): "running" | "ended" | "gone" => {
        if (leaving.isGone) return "gone";
        return log.hasEnded() ? "ended" : "running";
      };
      const { hasBegun } = reader;
      const gap = await followLog({
        ...{ reader, stateOf, clock, random, signal, hasBegun },
        isEnding: true,
        onOpen: leaving.onOpen,
      });
      return { isFollowed: true, gap };
    });
  }
}

// Promise.withResolvers needs Node 22.
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
