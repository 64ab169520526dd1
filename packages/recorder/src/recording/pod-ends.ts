import { type Clock, sleep, within } from "@kindling/outside";
import type { AskedPod, PodEnd } from "@kindling/recorder-client";

export interface PodEndsOptions {
  readonly clock: Clock;
  /** How far the end of an executor is recorded at present. */
  readonly endOf: (pod: AskedPod) => Promise<"recorded" | "open" | "unknown">;
  /** Follows the log of an executor that runs; resolves when it has begun to come. */
  readonly follow: (pod: AskedPod) => Promise<void>;
}

/** The watch of pods may be a moment behind. */
const UNKNOWN_MS = 1_000;
/** A driver waits for the deletion of an executor that runs. */
const FOLLOWED_MS = 1_000;

/** Tells who wants to delete the pods of executors when their ends are recorded. */
export class PodEnds {
  readonly #options: PodEndsOptions;
  /** Called when the end of an executor is recorded, by its uid. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: PodEndsOptions) {
    this.#options = options;
  }

  /** The end of an executor is recorded. */
  recorded(uid: string): void {
    for (const wake of this.#waiting.get(uid) ?? []) wake();
  }

  /**
   * Waits until the end of an executor is recorded.
   *
   * @param signals the caller waits no longer when one of them comes
   */
  async of(pod: AskedPod, ...signals: readonly AbortSignal[]): Promise<PodEnd> {
    const { clock, endOf } = this.#options;
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    const waiting = this.#waiting.get(pod.uid) ?? new Set();
    this.#waiting.set(pod.uid, waiting.add(wake));
    try {
      let end = await endOf(pod);
      if (end === "unknown") {
        await sleep(clock, UNKNOWN_MS, woken.signal, ...signals);
        end = await endOf(pod);
      }
      if (end === "open" && pod.running === true) return await this.#followed(pod, signals);
      if (end === "open") {
        await sleep(clock, Infinity, woken.signal, ...signals);
        end = await endOf(pod);
      }
      return end === "open" ? "unread" : end;
    } finally {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(pod.uid);
    }
  }

  /** Waits until the log of an executor that runs is followed, for a moment at most. */
  async #followed(pod: AskedPod, signals: readonly AbortSignal[]): Promise<PodEnd> {
    const { clock, follow } = this.#options;
    const end = follow(pod).then((): PodEnd => "followed");
    return await within(clock, FOLLOWED_MS, end, (): PodEnd => "unread", ...signals);
  }
}
