import { createHash } from "node:crypto";
import { tooManyRequests } from "@kindling/api-server";
import type { Clock, Random } from "@kindling/outside";
import { reviewLimits, type TokenBuckets, tokenBuckets } from "@kindling/service";
import { KeptAnswers } from "./kept-answers.ts";
import { StrangerTurns } from "./stranger-turns.ts";
import type { ReviewToken, TokenHolder } from "./token-reviews.ts";

export interface ReviewCacheOptions {
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** How long an answer is believed. */
  readonly seconds: number;
  /** How many answers about wrong tokens are kept, and of how many pods those about good ones. */
  readonly most: number;
  /** How many tokens of one pod are known, and how many questions about further ones may be under way. */
  readonly mostOfPod: number;
  /** How many questions about tokens that nothing speaks for may be under way. */
  readonly strangersAtOnce: number;
  /** How many tokens of one address, or of one pod, may turn out wrong in a second. */
  readonly failuresPerSecond: number;
}

/** Who shows a token. */
export interface Claimant {
  /** The uid of the pod that the token says it is bound to. */
  readonly podUid: string;
  /** Whom the address stands for that it came from. */
  readonly address: string;
  /**
   * Looks whether something else than its own words says that the token is that pod's; called for tokens that are not
   * known. Throws an ApiError for one that cannot be.
   */
  readonly isLikely: () => Promise<boolean>;
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
const BURST_SECONDS = 10;
/** Pods are counted one by one, and not all together: nobody has more of them than the cluster lets them have. */
const ANY_NUMBER = 1_000_000;

/**
 * Answers that are believed for a while; those who ask the same at the same time share one. Failures are not kept. While
 * the API server is away, those whom it knew before go on being served.
 *
 * What a token says of itself costs the driver that it names nothing. A token that was good before is asked about at
 * once. One that something else speaks for has places of its pod's. All others are counted by the address that they come
 * from, and wait for their turn.
 */
export class ReviewCache {
  readonly #review: ReviewToken;
  readonly #options: ReviewCacheOptions;
  readonly #answers: KeptAnswers<Answer>;
  readonly #strangers: StrangerTurns;
  readonly #underWay = new Map<string, number>();
  readonly #wrongOfPod: TokenBuckets;

  constructor(review: ReviewToken, options: ReviewCacheOptions) {
    const { clock, random, most, mostOfPod, strangersAtOnce, failuresPerSecond } = options;
    this.#review = review;
    this.#options = options;
    this.#answers = new KeptAnswers(most, mostOfPod);
    const tooMany = (detail: string): Error => tooManyRequests(detail, 1);
    const limits = reviewLimits({ clock, mostAtOnce: strangersAtOnce, failuresPerSecond, tooMany });
    this.#strangers = new StrangerTurns({ limits, clock, random, tooMany });
    this.#wrongOfPod = tokenBuckets({
      ...{ clock, perSecond: failuresPerSecond, burstSeconds: BURST_SECONDS, clientsInAll: ANY_NUMBER },
    });
  }

  /** @throws ApiError 429 if there are too many unknown tokens of this address; and what `isLikely` throws */
  async ask(token: string, claimant: Claimant): Promise<TokenHolder | undefined> {
    const { podUid } = claimant;
    const hash = createHash("sha256").update(token).digest("base64");
    const accepted = this.#answers.accepted(podUid, hash);
    const known = accepted ?? this.#answers.other(hash);
    if (known !== undefined && known.until > this.#options.clock.monotonic()) return (await known.verdict).holder;
    const ask = (): Promise<TokenHolder | undefined> => this.#review(token);
    const question = accepted === undefined ? () => this.#askAsNew(claimant, ask) : ask;
    const answer: Answer = { verdict: this.#answer(question, accepted), until: Infinity };
    if (accepted === undefined) this.#answers.keepOther(hash, answer);
    else this.#answers.keepAccepted(podUid, hash, answer);
    this.#keep(podUid, hash, answer);
    return (await answer.verdict).holder;
  }

  #keep(podUid: string, hash: string, answer: Answer): void {
    const { clock, seconds } = this.#options;
    answer.verdict.then(
      ({ holder }) => {
        answer.until = clock.monotonic() + (holder === undefined ? REFUSAL_SECONDS : seconds) * 1000;
        if (holder?.podUid === podUid) this.#answers.keepAccepted(podUid, hash, answer);
        else if (this.#answers.accepted(podUid, hash) === answer) this.#answers.forget(podUid, hash, answer);
      },
      () => this.#answers.forget(podUid, hash, answer),
    );
  }

  /** Asks; while nobody answers, what was good goes on being good for a while. */
  async #answer(question: () => Promise<TokenHolder | undefined>, known: Answer | undefined): Promise<Verdict> {
    const asked = this.#options.clock.monotonic();
    try {
      return { holder: await question(), asked };
    } catch (error) {
      const before = await known?.verdict;
      if (before?.holder === undefined || asked - before.asked > FAITH_SECONDS * 1000) throw error;
      return before;
    }
  }

  async #askAsNew(
    { podUid, address, isLikely }: Claimant,
    ask: () => Promise<TokenHolder | undefined>,
  ): Promise<TokenHolder | undefined> {
    const isVouched = await isLikely();
    const underWay = this.#underWay.get(podUid) ?? 0;
    const hasPlace = isVouched && underWay < this.#options.mostOfPod && this.#wrongOfPod.has(podUid);
    if (!hasPlace) return await this.#strangers.ask(address, podUid, ask);
    this.#count(podUid, 1);
    try {
      const holder = await ask();
      if (holder === undefined) this.#wrongOfPod.take(podUid);
      return holder;
    } finally {
      this.#count(podUid, -1);
    }
  }

  #count(pod: string, difference: 1 | -1): void {
    const count = (this.#underWay.get(pod) ?? 0) + difference;
    if (count === 0) this.#underWay.delete(pod);
    else this.#underWay.set(pod, count);
  }
}
