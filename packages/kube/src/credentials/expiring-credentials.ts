import type { Clock } from "@kindling/outside";
import type { CredentialSource, Credentials } from "./credential-source.ts";

/** Credentials that are valid for a while. */
export interface Lease {
  readonly credentials: Credentials;
  /** In milliseconds since the epoch; absent: until the server refuses them. */
  readonly until: number | undefined;
}

/** A fetch that is under way. */
interface Fetching {
  readonly credentials: Promise<Credentials>;
  readonly stopping: AbortController;
  waiting: number;
}

/**
 * Credentials that are fetched when needed, kept while they are valid, and fetched again when the server refuses them. All
 * callers wait for the same fetch; when none of them waits any longer, the fetch is told to end.
 */
export function expiringCredentials(
  fetch: (signal: AbortSignal) => Promise<Lease>,
  clock: Clock,
  description: string,
): CredentialSource {
  let lease: Lease | undefined;
  let fetching: Fetching | undefined;

  async function renew(signal: AbortSignal): Promise<Credentials> {
    const fresh = await fetch(signal);
    // Unchanged credentials stay the same object, so that a comparison by identity shows that nothing is new.
    lease =
      lease !== undefined && isSame(lease.credentials, fresh.credentials)
        ? { ...fresh, credentials: lease.credentials }
        : fresh;
    return lease.credentials;
  }

  function begin(): Fetching {
    const stopping = new AbortController();
    const begun: Fetching = { credentials: renew(stopping.signal), stopping, waiting: 0 };
    const finish = (): void => {
      if (fetching === begun) fetching = undefined;
    };
    begun.credentials.then(finish, finish);
    return begun;
  }

  function join(joined: Fetching, signal: AbortSignal | undefined): Promise<Credentials> {
    joined.waiting++;
    const leave = (): void => {
      if (--joined.waiting > 0) return;
      if (fetching === joined) fetching = undefined;
      joined.stopping.abort();
    };
    signal?.addEventListener("abort", leave, { once: true });
    const stay = (): void => signal?.removeEventListener("abort", leave);
    joined.credentials.then(stay, stay);
    return joined.credentials;
  }

  return {
    description,
    current(signal) {
      if (lease !== undefined && (lease.until === undefined || clock.now() < lease.until)) return lease.credentials;
      fetching ??= begin();
      return join(fetching, signal);
    },
    reject(used) {
      if (lease?.credentials === used) lease = { ...lease, until: Number.NEGATIVE_INFINITY };
    },
  };
}

function isSame(one: Credentials, other: Credentials): boolean {
  return (
    one.authorization === other.authorization &&
    one.clientCertificate?.cert === other.clientCertificate?.cert &&
    one.clientCertificate?.key === other.clientCertificate?.key
  );
}
