import type { Clock } from "../clock.ts";
import type { CredentialSource, Credentials } from "./credential-source.ts";

/** Credentials that hold for a while. */
export interface Lease {
  readonly credentials: Credentials;
  /** In milliseconds since the epoch; absent: until the server refuses them. */
  readonly until: number | undefined;
}

/**
 * Credentials that are fetched when needed, kept while they hold, and fetched again when the server refuses them. All
 * who ask meanwhile wait for the same fetch.
 */
export function expiringCredentials(fetch: () => Promise<Lease>, clock: Clock, description: string): CredentialSource {
  let lease: Lease | undefined;
  let fetching: Promise<Credentials> | undefined;

  async function renew(): Promise<Credentials> {
    try {
      const fresh = await fetch();
      // Unchanged credentials stay the same object: who compares them by identity learns that nothing is new.
      lease =
        lease !== undefined && isSame(lease.credentials, fresh.credentials)
          ? { ...fresh, credentials: lease.credentials }
          : fresh;
      return lease.credentials;
    } finally {
      fetching = undefined;
    }
  }

  return {
    description,
    current() {
      if (lease !== undefined && (lease.until === undefined || clock.now() < lease.until)) return lease.credentials;
      fetching ??= renew();
      return fetching;
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
