import { type Clock, sleep } from "@kindling/outside";
import type { LogReader, ReadResult } from "./log-reader.ts";
import { Turns } from "./turns.ts";

export interface ExecutorLogsOptions {
  readonly clock: Clock;
  /**
   * How many logs are read at the same time, of all applications together: each is a request to a kubelet. As many again may be
   * followed.
   */
  readonly atOnce: number;
  /** How many logs of running executors are read in a second. */
  readonly tailsPerSecond: number;
  /** The pause between two readings of the same log. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

const QUIET_MS = 3_000;

/** A log of an executor, and whether its container still runs. */
export interface ExecutorLog {
  readonly reader: Pick<LogReader, "read">;
  readonly isRunning: () => boolean;
}

/**
 * Reads the logs of executors: every few seconds while they run, because they could vanish with their nodes, and once more at
 * their end. If there are so many of them that this would be too much for the kubelets, they are read less often.
 */
export class ExecutorLogs {
  #busyUntil = -Infinity;
  readonly #options: ExecutorLogsOptions;
  readonly #tailed = new Map<string, ExecutorLog>();
  readonly #reads: Turns;
  /** Who follows a log mostly waits, and would keep others from being read. */
  readonly #follows: Turns;

  constructor(options: ExecutorLogsOptions) {
    this.#options = options;
    this.#reads = new Turns(options.atOnce);
    this.#follows = new Turns(options.atOnce);
    void this.#tail();
  }

  /** @param uid of the executor's pod */
  begin(uid: string, log: ExecutorLog): void {
    this.#tailed.set(uid, log);
  }

  end(uid: string): void {
    this.#tailed.delete(uid);
  }

  /** Reads everything that a container has written, and what it writes until it ends, if it still runs. */
  async readToEnd({ reader, isRunning }: ExecutorLog, signal: AbortSignal, onOpen?: () => void): Promise<ReadResult> {
    return await this.inTurn(signal, "broken", () => reader.read({ follow: isRunning(), signal, onOpen }));
  }

  /** Whether others may take the processor: no log had to wait for its turn in the last seconds. */
  get areQuiet(): boolean {
    return this.#options.clock.monotonic() >= this.#busyUntil;
  }

  /**
   * Does something that sends a request to a kubelet, when there are not too many others.
   *
   * @param otherwise the result if the signal comes before that
   */
  async inTurn<T>(signal: AbortSignal, otherwise: T, work: () => Promise<T>): Promise<T> {
    if (!this.#reads.areFree) this.#busyUntil = this.#options.clock.monotonic() + QUIET_MS;
    return await this.#reads.run(signal, otherwise, work);
  }

  /** Whether a log could be followed at once. */
  get mayFollow(): boolean {
    return this.#follows.areFree;
  }

  /**
   * Follows a log until its container ends, when not too many others are followed.
   *
   * @param otherwise the result if the signal comes before that
   */
  async follow<T>(signal: AbortSignal, otherwise: T, work: () => Promise<T>): Promise<T> {
    return await this.#follows.run(signal, otherwise, work);
  }

  #readMore(reader: ExecutorLog["reader"]): void {
    const { signal } = this.#options;
    // The disk may be full. What could not be written is tried again the next time.
    this.inTurn(signal, "broken", () => reader.read({ follow: false, signal })).catch(() => undefined);
  }

  async #tail(): Promise<void> {
    const { clock, signal, everyMs, tailsPerSecond } = this.#options;
    while (!signal.aborted) {
      const begun = clock.monotonic();
      for (const [uid, { reader, isRunning }] of this.#tailed) {
        if (!isRunning()) this.#tailed.delete(uid);
        else if (this.#reads.areFree) this.#readMore(reader);
        await sleep(clock, 1000 / tailsPerSecond, signal);
        if (signal.aborted) return;
      }
      await sleep(clock, Math.max(100, everyMs - (clock.monotonic() - begun)), signal);
    }
  }
}
