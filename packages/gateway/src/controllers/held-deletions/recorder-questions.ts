import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { type AskedPod, MOST_ASKED_PODS, type PodEnd, type PodEndSoFar } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";

export interface RecorderQuestionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Sends a question, and waits for the answer; by uid. */
  readonly ask: (pods: readonly AskedPod[]) => Promise<ReadonlyMap<string, PodEndSoFar>>;
}

/** What the recorder says of a pod's end; `away`: it says nothing. */
export type RecorderAnswer = PodEnd | "away";

interface Waiting {
  readonly pod: AskedPod;
  /** By the monotonic clock. */
  readonly since: number;
  readonly resolve: (answer: RecorderAnswer) => void;
}

/** Thousands of executors may end within moments: so long, pods are collected for the same question. */
const COLLECT_MS = 50;
/** A question takes up to 4 s. More of them would take the recorder's connections from its readers. */
const MOST_QUESTIONS = 32;
/** No deletion is held for longer, so nobody needs the answer then. */
const MOST_WAIT_MS = 5_000;
/** After a failure, the recorder is not asked for so long, and after each further one for twice as long, up to the last. */
const FIRST_AWAY_MS = 1_000;
const LAST_AWAY_MS = 30_000;

/** Asks the recorder about pods, many at once. If it fails, it is left alone for a while. */
export class RecorderQuestions {
  readonly #options: RecorderQuestionsOptions;
  readonly #waiting: Waiting[] = [];
  #isCollecting = false;
  #underWay = 0;
  #awayUntil = -Infinity;
  /** Zero while it answers. */
  #awayMs = 0;

  constructor(options: RecorderQuestionsOptions) {
    this.#options = options;
  }

  /** Whether it has failed a short time ago. */
  get isAway(): boolean {
    return this.#options.clock.monotonic() < this.#awayUntil;
  }

  /** Waits for the recorder's answer. Never rejects. */
  async endOf(pod: AskedPod): Promise<RecorderAnswer> {
    if (this.isAway) return "away";
    return await new Promise((resolve) => {
      this.#waiting.push({ pod, resolve, since: this.#options.clock.monotonic() });
      if (this.#isCollecting) return;
      this.#isCollecting = true;
      this.#options.clock.after(COLLECT_MS, () => {
        this.#isCollecting = false;
        this.#send();
      });
    });
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#underWay < MOST_QUESTIONS) {
      this.#underWay++;
      void this.#ask(this.#waiting.splice(0, MOST_ASKED_PODS));
    }
  }

  async #ask(asked: readonly Waiting[]): Promise<void> {
    const { log, ask } = this.#options;
    try {
      const ends = await ask(asked.map(({ pod }) => pod));
      for (const one of asked) this.#answered(one, ends.get(one.pod.uid) ?? "unknown");
      if (this.#awayMs > 0) log.info("the recorder answers again");
      this.#awayMs = 0;
    } catch (error) {
      this.#failed(error);
      for (const { resolve } of [...asked, ...this.#waiting.splice(0)]) resolve("away");
    } finally {
      this.#underWay--;
      this.#send();
    }
  }

  #answered(waiting: Waiting, end: PodEndSoFar): void {
    if (end !== "open") return waiting.resolve(end);
    if (this.#options.clock.monotonic() - waiting.since >= MOST_WAIT_MS) return waiting.resolve("unread");
    this.#waiting.push(waiting);
  }

  #failed(error: unknown): void {
    const { clock, log } = this.#options;
    // Several questions may fail together.
    if (this.isAway) return;
    const isFirst = this.#awayMs === 0;
    this.#awayMs = isFirst ? FIRST_AWAY_MS : Math.min(2 * this.#awayMs, LAST_AWAY_MS);
    this.#awayUntil = clock.monotonic() + this.#awayMs;
    if (!isFirst) return;
    log.warn("the recorder does not answer: pods of ended executors are deleted before their logs are read", {
      error: messageOf(error),
    });
  }
}
