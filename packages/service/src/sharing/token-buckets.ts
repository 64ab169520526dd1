import type { Clock } from "@kindling/outside";

/** Limits how often something may be done: by each client, and by all together. */
export interface TokenBuckets {
  /** Takes one, if there is one. */
  take(client: string): boolean;
  /** Whether there is one. */
  has(client: string): boolean;
}

export interface BucketOptions {
  readonly clock: Clock;
  /** How many come back each second, for one client. */
  readonly perSecond: number;
  /** After a pause, the tokens of this many seconds can be taken at once. */
  readonly burstSeconds: number;
  /** All clients together may take as much as this number of clients. */
  readonly clientsInAll: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

// How many buckets that are not full are remembered at most; the oldest are dropped first. Full ones need not be remembered.
const MOST_BUCKETS = 10_000;

export function tokenBuckets({ clock, perSecond, burstSeconds, clientsInAll }: BucketOptions): TokenBuckets {
  const buckets = new Map<string, Bucket>();
  const burst = perSecond * burstSeconds;
  const inAll: Bucket = { tokens: burst * clientsInAll, at: clock.monotonic() };

  function refill(bucket: Bucket, share: number): Bucket {
    const now = clock.monotonic();
    bucket.tokens = Math.min(burst * share, bucket.tokens + ((now - bucket.at) / 1000) * perSecond * share);
    bucket.at = now;
    return bucket;
  }

  function bucketOf(client: string): Bucket {
    const known = buckets.get(client);
    // The bucket that was used last moves to the end.
    buckets.delete(client);
    const bucket = known === undefined ? { tokens: burst, at: clock.monotonic() } : refill(known, 1);
    buckets.set(client, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > MOST_BUCKETS && oldest !== undefined) buckets.delete(oldest);
    return bucket;
  }

  const has = (client: string): boolean => refill(inAll, clientsInAll).tokens >= 1 && bucketOf(client).tokens >= 1;
  return {
    has,
    take(client) {
      if (!has(client)) return false;
      inAll.tokens--;
      bucketOf(client).tokens--;
      return true;
    },
  };
}
