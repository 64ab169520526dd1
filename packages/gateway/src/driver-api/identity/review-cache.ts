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
  /** How long an answer is used. */
  readonly seconds: number;
  /** How many answers about wrong tokens are kept, and for how many pods the answers about good ones are kept. */
  readonly most: number;
  /** How many tokens of one pod are kept, and how many questions about new ones may be open at once. */
  readonly mostOfPod: number;
  /** How many questions about tokens without any evidence may be open at once. */
  readonly strangersAtOnce: number;
  /** How many tokens of one address, or of one pod, may prove wrong per second. */
  readonly failuresPerSecond: number;
}

/** Who shows a token. */
export interface TokenAsker {
  /** The uid of the pod that the token says it is bound to. */
  readonly podUid: string;
  /** The client that the source address stands for. */
  readonly address: string;
  /**
   * Checks whether there is other evidence than the token's own claims that it belongs to that pod; called for unknown
   * tokens. Throws an ApiError if the token cannot be valid.
   */
  readonly isLikely: () => Promise<boolean>;
}

/** The answer of the API server, and when it was asked. */
interface Verdict {
  readonly holder: TokenHolder | undefined;
  readonly asked: number;
}

interface Answer {
  readonly verdict: Promise<Verdict>;
  until: number;
}

// A wrong token may become valid later (because of a slow clock), but wrong tokens must not overload the API server.
const REFUSAL_SECONDS = 5;
/** How long an old answer is used while the API server cannot be asked. Its restarts take less time. */
const FAITH_SECONDS = 600;
const BURST_SECONDS = 10;
/** There is a limit for each pod, but none for all pods together: the cluster limits how many pods there are. */
const ANY_NUMBER = 1_000_000;

/**
 * Keeps answers for a while; equal questions at the same time share one answer. Failures are not kept. While the API server
 * is away, drivers that it accepted before are still served.
 *
 * A forged token that names a driver does that driver no harm. A question about a token that was good before is asked at
 * once. A token with other evidence uses the places of its pod. All other tokens are counted by the address from which they
 * come, and wait for their turn.
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

  /** @throws ApiError 429 if there are too many unknown tokens from this address; also everything that `isLikely` throws */
  async ask(token: string, asker: TokenAsker): Promise<TokenHolder | undefined> {
    const { podUid } = asker;
    const hash = createHash("sha256").update(token).digest("base64");
    const accepted = this.#answers.accepted(podUid, hash);
    const known = accepted ?? this.#answers.other(hash);
    if (known !== undefined && known.until > this.#options.clock.monotonic()) return (await known.verdict).holder;
    const ask = (): Promise<TokenHolder | undefined> => this.#review(token);
    const question = accepted === undefined ? () => this.#askAsNew(asker, ask) : ask;
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

  /** Asks. If there is no answer, the last good answer is used for a while. */
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
    { podUid, address, isLikely }: TokenAsker,
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
