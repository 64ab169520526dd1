import type { Avoidance, PodShape } from "@kindling/admission";
import type { Clock } from "@kindling/outside";

interface Failure {
  readonly className: string;
  readonly pod: Pick<PodShape, "placement" | "requests">;
  readonly count: number;
  readonly at: number;
  readonly until: number;
}

const FIRST_MS = 60_000;
const LONGEST_MS = 1_800_000;
/** An older failure is forgotten, so that the next one counts as the first. */
const FORGET_MS = 7_200_000;
/** The highest number of remembered failures; the oldest are dropped. */
const MOST = 1_000;

/**
 * For which pods which classes of nodes are avoided, because no node came for them: for a minute, and twice as long each time
 * that it happens again. Only pods with the same placement and at least these requests are meant: otherwise one application
 * with wishes that no cloud can fulfil would keep all others waiting. A new gateway begins with nothing.
 */
export class Avoidances {
  readonly #clock: Pick<Clock, "now">;
  #failures = new Map<string, Failure>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** No node of the class came for this pod. */
  note(className: string, pod: Pick<PodShape, "placement" | "requests">): void {
    const now = this.#clock.now();
    const key = JSON.stringify([className, pod.placement, pod.requests]);
    const before = this.#failures.get(key);
    // Executors that were made together fail together, and are one failure.
    if (before !== undefined && before.until > now) return;
    const count = before === undefined || now - before.at > FORGET_MS ? 1 : before.count + 1;
    const until = now + Math.min(LONGEST_MS, FIRST_MS * 2 ** (count - 1));
    this.#failures.delete(key);
    this.#failures.set(key, { className, pod, count, at: now, until });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MOST && oldest !== undefined) this.#failures.delete(oldest);
  }

  /** The pods for which the class is avoided now. */
  of(className: string): readonly Avoidance[] {
    const now = this.#clock.now();
    return [...this.#failures.values()].filter((one) => one.className === className && one.until > now);
  }
}
