import type { Clock } from "@kindling/outside";
import { ProblemError } from "../errors/problem-error.ts";
import { fairPool } from "../sharing/fair-pool.ts";
import { tokenBuckets, type TokenBuckets } from "../sharing/token-buckets.ts";

export interface ReviewLimitOptions {
  readonly clock: Clock;
  /** Most questions at once. */
  readonly mostAtOnce: number;
  /** Tokens a second that may turn out wrong, of one client. */
  readonly failuresPerSecond: number;
}

/** Keeps what clients can make this server ask the API server within limits. */
export interface ReviewLimits {
  /**
   * Asks about a token, for a client that may be anybody.
   *
   * @param isKnown whether it has been accepted before; then it costs nothing that others have sent wrong ones
   * @throws ProblemError `too-many-requests`
   */
  askToken<T>(client: string, isKnown: boolean, question: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Asks about a right of a known subject. */
  askRight<T extends { readonly allowed: boolean }>(subject: string, question: () => Promise<T>): Promise<T>;
}

const BURST_SECONDS = 10;
const CLIENTS_IN_ALL = 10;
// Whoever lists what they may see asks about many namespaces that are not theirs.
const DENIALS_FOR_FAILURE = 4;

export function reviewLimits({ clock, mostAtOnce, failuresPerSecond }: ReviewLimitOptions): ReviewLimits {
  const questions = fairPool({ total: mostAtOnce, factor: 1 });
  const buckets = (perSecond: number): TokenBuckets =>
    tokenBuckets({ clock, perSecond, burstSeconds: BURST_SECONDS, clientsInAll: CLIENTS_IN_ALL });
  const wrongTokens = buckets(failuresPerSecond);
  const denials = buckets(failuresPerSecond * DENIALS_FOR_FAILURE);
  const tooMany = (detail: string): ProblemError =>
    new ProblemError("too-many-requests", detail, { retryAfterSeconds: 2 });

  async function ask<T>(client: string, question: () => Promise<T>): Promise<T> {
    const release = questions.take(client);
    if (release === undefined) throw tooMany("too many questions about credentials are under way");
    try {
      return await question();
    } finally {
      release();
    }
  }

  return {
    async askToken(client, isKnown, question) {
      if (!isKnown && !wrongTokens.has(client)) {
        throw tooMany("too many wrong tokens have come from this address; try again in a moment");
      }
      const answer = await ask(`address ${client}`, question);
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
