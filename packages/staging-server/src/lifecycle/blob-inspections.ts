import type { Clock } from "@kindling/outside";
import { fairPool } from "@kindling/service";
import type { Digest } from "@kindling/staging-client";
import type { BlobState, BlobStore } from "../stores/blob-store.ts";

/** Verifies blobs that a client reported as wrong. The client may be mistaken or malicious, and a check costs much. */
export interface BlobInspections {
  /**
   * @param client that asks: a client that asks about many blobs does not delay others
   * @returns the result; `unknown` if the blob is not checked for now
   */
  inspect(digest: Digest, client: string): Promise<BlobState | "unknown">;
  /** A blob that was reported and not checked, for the scrub to check later. Each is given out once, clients in turn. */
  next(): Digest | undefined;
}

// After a check of a blob, further questions about it get the same answer.
const SAME_BLOB_MS = 600_000;
// All checks together may take a tenth of the time.
const REST_FACTOR = 9;
const MOST_WAITING = 1_000;
const MOST_REMEMBERED = 10_000;

export function blobInspections(store: BlobStore, clock: Clock): BlobInspections {
  const looked = new Map<Digest, { readonly at: number; readonly state: Promise<BlobState> }>();
  // By client; each blob with a function that gives its place back.
  const waiting = new Map<string, Map<Digest, () => void>>();
  const places = fairPool({ total: MOST_WAITING, factor: 1 });
  let busy = false;
  let restUntil = -Infinity;

  async function look(digest: Digest): Promise<BlobState> {
    const begin = clock.monotonic();
    busy = true;
    try {
      return (await store.verify?.(digest)) ?? "sound";
    } finally {
      busy = false;
      restUntil = clock.monotonic() + REST_FACTOR * (clock.monotonic() - begin);
    }
  }

  function remember(digest: Digest, state: Promise<BlobState>): void {
    looked.delete(digest);
    looked.set(digest, { at: clock.monotonic(), state });
    state.catch(() => looked.delete(digest));
    for (const oldest of looked.keys()) {
      if (looked.size <= MOST_REMEMBERED) break;
      looked.delete(oldest);
    }
  }

  function wait(digest: Digest, client: string): void {
    const mine = waiting.get(client) ?? new Map<Digest, () => void>();
    const leave = mine.has(digest) ? undefined : places.take(client);
    if (leave !== undefined) waiting.set(client, mine.set(digest, leave));
  }

  return {
    async inspect(digest, client) {
      if (store.verify === undefined) return "unknown";
      if ((await store.stat(digest)) === undefined) return "absent";
      const last = looked.get(digest);
      if (last !== undefined && clock.monotonic() - last.at < SAME_BLOB_MS) return await last.state;
      if (busy || clock.monotonic() < restUntil) {
        wait(digest, client);
        return "unknown";
      }
      const state = look(digest);
      remember(digest, state);
      return await state;
    },
    next() {
      const [first] = waiting;
      if (first === undefined) return undefined;
      const [client, mine] = first;
      waiting.delete(client);
      const [next] = mine;
      if (next === undefined) return undefined;
      const [digest, leave] = next;
      mine.delete(digest);
      leave();
      if (mine.size > 0) waiting.set(client, mine);
      return digest;
    },
  };
}
