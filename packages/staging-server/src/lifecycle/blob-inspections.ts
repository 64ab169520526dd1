import type { Clock } from "@kindling/outside";
import { fairPool } from "@kindling/service";
import type { Digest } from "@kindling/staging-client";
import type { BlobState, BlobStore } from "../stores/blob-store.ts";

/** Looks at blobs whose bytes somebody has found wrong. Whoever asks may be wrong, or mean harm: it costs much to look. */
export interface BlobInspections {
  /**
   * @param client who asks: one who asks about many keeps no other from being heard
   * @returns what was found out; `unknown` where nobody looks at it for now
   */
  inspect(digest: Digest, client: string): Promise<BlobState | "unknown">;
  /** One that was asked about and not looked at, for somebody who has time; each is given out once, clients in turn. */
  next(): Digest | undefined;
}

// After a look at a blob, further questions about the same one get the same answer.
const SAME_BLOB_MS = 600_000;
// All looks together may take a tenth of the time.
const REST_FACTOR = 9;
const MOST_WAITING = 1_000;
const MOST_REMEMBERED = 10_000;

export function blobInspections(store: BlobStore, clock: Clock): BlobInspections {
  const looked = new Map<Digest, { readonly at: number; readonly state: Promise<BlobState> }>();
  // By client; each with what gives its place back.
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
