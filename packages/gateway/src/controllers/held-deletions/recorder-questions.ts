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
/**
 * A recorder that fails may only have been started again: for so long, it is asked each second, and pods wait as if it were slow.
 * Then nobody waits for it, and it is asked less and less often.
 */
const RESTART_MS = 30_000;
const RETRY_MS = 1_000;
const LAST_AWAY_MS = 30_000;

/** Asks the recorder about pods, many at once. If it fails for long, it is left alone for a while. */
export class RecorderQuestions {
  readonly #options: RecorderQuestionsOptions;
  readonly #waiting: Waiting[] = [];
  #isCollecting = false;
  #underWay = 0;
  /** When it began to fail, by the monotonic clock; `undefined` while it answers. */
  #failingSince: number | undefined;
  #nextAt = -Infinity;
  #awayMs = RETRY_MS;

  constructor(options: RecorderQuestionsOptions) {
    this.#options = options;
  }

  /** Whether it has failed the last time, and may only have been started again. */
  get isRestarting(): boolean {
    return this.#failingSince !== undefined && this.#now - this.#failingSince < RESTART_MS;
  }

  /** Whether it has failed for long, and a short time ago. */
  get isAway(): boolean {
    return this.#failingSince !== undefined && !this.isRestarting && this.#now < this.#nextAt;
  }

  /** Waits for the recorder's answer. Never rejects. */
  async endOf(pod: AskedPod): Promise<RecorderAnswer> {
    if (this.isAway) return "away";
    return await new Promise((resolve) => {
      this.#waiting.push({ pod, resolve, since: this.#now });
      this.#sendIn(Math.max(COLLECT_MS, this.#nextAt - this.#now));
    });
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  #sendIn(milliseconds: number): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    this.#options.clock.after(milliseconds, () => {
      this.#isCollecting = false;
      this.#send();
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
      for (const one of asked) this.#answered(one, ends.get(one.pod.uid) ?? "unknown", "unread");
      if (this.#failingSince !== undefined) log.info("the recorder answers again");
      this.#failingSince = undefined;
      this.#awayMs = RETRY_MS;
      this.#nextAt = -Infinity;
    } catch (error) {
      this.#failed(error);
      const end = this.isRestarting ? "open" : "away";
      for (const one of [...asked, ...this.#waiting.splice(0)]) this.#answered(one, end, "away");
    } finally {
      this.#underWay--;
      if (this.#failingSince === undefined) this.#send();
      else if (this.#waiting.length > 0) this.#sendIn(Math.max(0, this.#nextAt - this.#now));
    }
  }

  /** @param otherwise the answer to one who has waited too long */
  #answered(waiting: Waiting, end: PodEndSoFar | "away", otherwise: RecorderAnswer): void {
    if (end !== "open") return waiting.resolve(end);
    if (this.#now - waiting.since >= MOST_WAIT_MS) return waiting.resolve(otherwise);
    this.#waiting.push(waiting);
  }

  #failed(error: unknown): void {
    // Several questions may fail together.
    if (this.#now < this.#nextAt) return;
    const isFirst = this.#failingSince === undefined;
    this.#failingSince ??= this.#now;
    this.#awayMs = this.isRestarting ? RETRY_MS : Math.min(2 * this.#awayMs, LAST_AWAY_MS);
    this.#nextAt = this.#now + this.#awayMs;
    if (!isFirst) return;
    this.#options.log.warn(
      "the recorder does not answer: pods of ended executors wait for it, and after half a minute they do not",
      {
        error: messageOf(error),
      },
    );
  }
}
