import { createHash } from "node:crypto";
import type { Clock } from "@kindling/outside";
import type { ReviewToken, TokenHolder } from "./token-reviews.ts";

export interface ReviewCacheOptions {
  readonly clock: Clock;
  /** How long an answer is believed. */
  readonly seconds: number;
  /** How many answers are kept. */
  readonly most: number;
  /** How many questions about tokens of one pod may be under way. */
  readonly mostAtOnce: number;
}

/** What the API server said, and when it was asked. */
interface Verdict {
  readonly holder: TokenHolder | undefined;
  readonly asked: number;
}

interface Answer {
  readonly verdict: Promise<Verdict>;
  until: number;
}

// A wrong token may become a right one (a clock that was slow), and must not be a way to keep the API server busy.
const REFUSAL_SECONDS = 5;
/** How long drivers are served by an old answer while the API server cannot be asked: restarts take less. */
const FAITH_SECONDS = 600;

/**
 * Answers that are believed for a while; those who ask the same at the same time share one. Failures are not kept. While
 * the API server is away, those whom it knew before go on being served.
 */
export class ReviewCache {
  readonly #review: ReviewToken;
  readonly #options: ReviewCacheOptions;
  /** By the hash of the token: a heap dump shows no credentials. */
  readonly #answers = new Map<string, Answer>();
  readonly #underWay = new Map<string, number>();

  constructor(review: ReviewToken, options: ReviewCacheOptions) {
    this.#review = review;
    this.#options = options;
  }

  /**
   * @param pod the uid of the pod that the token says it is bound to
   * @returns undefined where too many questions about tokens of this pod are under way
   */
  ask(token: string, pod: string): Promise<TokenHolder | undefined> | undefined {
    const { clock, mostAtOnce } = this.#options;
    const key = createHash("sha256").update(token).digest("base64");
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > clock.monotonic()) return holderOf(known);
    if ((this.#underWay.get(pod) ?? 0) >= mostAtOnce) return undefined;
    const answer: Answer = { verdict: this.#question(token, pod, known), until: Infinity };
    this.#keep(key, answer);
    return holderOf(answer);
  }

  #keep(key: string, answer: Answer): void {
    const { clock, most, seconds } = this.#options;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    // Maps keep the order of insertion: the first key is the oldest answer.
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > most && oldest !== undefined) this.#answers.delete(oldest);
    answer.verdict.then(
      ({ holder }) => {
        answer.until = clock.monotonic() + (holder === undefined ? REFUSAL_SECONDS : seconds) * 1000;
      },
      () => {
        if (this.#answers.get(key) === answer) this.#answers.delete(key);
      },
    );
  }

  /** Asks anew; while nobody answers, what was good goes on being good for a while. */
  async #question(token: string, pod: string, known: Answer | undefined): Promise<Verdict> {
    const asked = this.#options.clock.monotonic();
    this.#count(pod, 1);
    try {
      return { holder: await this.#review(token), asked };
    } catch (error) {
      const before = await known?.verdict;
      if (before?.holder === undefined || asked - before.asked > FAITH_SECONDS * 1000) throw error;
      return before;
    } finally {
      this.#count(pod, -1);
    }
  }

  #count(pod: string, difference: 1 | -1): void {
    const count = (this.#underWay.get(pod) ?? 0) + difference;
    if (count === 0) this.#underWay.delete(pod);
    else this.#underWay.set(pod, count);
  }
}

async function holderOf({ verdict }: Answer): Promise<TokenHolder | undefined> {
  return (await verdict).holder;
}
