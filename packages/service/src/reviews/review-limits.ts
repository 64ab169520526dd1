import type { Clock } from "@kindling/outside";
import { fairPool } from "../sharing/fair-pool.ts";
import { tokenBuckets, type TokenBuckets } from "../sharing/token-buckets.ts";

export interface ReviewLimitOptions {
  readonly clock: Clock;
  /** The highest number of questions at once. */
  readonly mostAtOnce: number;
  /** How many tokens of one client may prove wrong per second. */
  readonly failuresPerSecond: number;
  /** Makes the error for a refused client; the detail is one sentence for the client. */
  readonly tooMany: (detail: string) => Error;
}

/** Limits how many questions to the API server clients can cause. */
export interface ReviewLimits {
  /** Whether a question about an unknown token would be asked now. */
  hasRoomFor(client: string): boolean;
  /**
   * Asks about a token, for a client that may be anybody.
   *
   * @param client the client that its address stands for
   * @param isKnown whether the token has been accepted before; then wrong tokens of others do not matter
   * @throws the error that `tooMany` makes
   */
  askToken<T>(client: string, isKnown: boolean, question: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Asks about a right of a known subject. */
  askRight<T extends { readonly allowed: boolean }>(subject: string, question: () => Promise<T>): Promise<T>;
}

const BURST_SECONDS = 10;
const CLIENTS_IN_ALL = 10;
// A client that lists everything it may see asks about many namespaces that it may not see.
const DENIALS_FOR_FAILURE = 4;

export function reviewLimits({ clock, mostAtOnce, failuresPerSecond, tooMany }: ReviewLimitOptions): ReviewLimits {
  const questions = fairPool({ total: mostAtOnce, factor: 1 });
  const buckets = (perSecond: number): TokenBuckets =>
    tokenBuckets({ clock, perSecond, burstSeconds: BURST_SECONDS, clientsInAll: CLIENTS_IN_ALL });
  const wrongTokens = buckets(failuresPerSecond);
  const denials = buckets(failuresPerSecond * DENIALS_FOR_FAILURE);
  const placeOf = (client: string): string => `address ${client}`;

  async function ask<T>(holder: string, question: () => Promise<T>): Promise<T> {
    const release = questions.take(holder);
    if (release === undefined) throw tooMany("too many questions about credentials are under way");
    try {
      return await question();
    } finally {
      release();
    }
  }

  return {
    hasRoomFor: (client) => wrongTokens.has(client) && questions.hasRoomFor(placeOf(client)),
    async askToken(client, isKnown, question) {
      if (!isKnown && !wrongTokens.has(client)) {
        throw tooMany("too many wrong tokens have come from this address; try again in a moment");
      }
      const answer = await ask(placeOf(client), question);
      if (answer === undefined) wrongTokens.take(client);
      return answer;
    },
    async askRight(subject, question) {
      if (!denials.has(subject)) throw tooMany("too many rights were asked for that you do not have; name a namespace");
      const answer = await ask(`subject ${subject}`, question);
      if (!answer.allowed) denials.take(subject);
      return answer;
    },
  };
}
