import type { Random } from "@kindling/outside";
import { fairPool, type FairPool } from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";

/**
 * Limits how many transfers run at once. A client that does not fit gets a time to try again, spread at random: a queue
 * of a thousand executors would only use memory and time out.
 *
 * The places are shared between namespaces: one namespace alone gets two thirds of them, so another one always finds
 * some.
 */
export interface TransferGates {
  /**
   * @param client under which uploads are counted
   * @param share of the places that this uses: a namespace, or the client that is used instead
   * @returns a function that gives the place back
   * @throws ProblemError `too-many-uploads`, `overloaded`
   */
  upload(client: string, share: string): () => void;
  /** @throws ProblemError `overloaded` */
  download(share: string): () => void;
  readonly uploads: number;
  readonly downloads: number;
}

export interface GateLimits {
  readonly uploads: number;
  readonly uploadsPerClient: number;
  readonly downloads: number;
}

// A namespace may take more while it holds at most this many times the free places.
const FACTOR = 2;

export function transferGates(limits: GateLimits, random: Pick<Random, "fraction">): TransferGates {
  const uploads = fairPool({ total: limits.uploads, factor: FACTOR });
  const downloads = fairPool({ total: limits.downloads, factor: FACTOR });
  const perClient = new Map<string, number>();
  const comeBack = (): { retryAfterSeconds: number } => ({ retryAfterSeconds: 1 + Math.floor(random.fraction() * 5) });
  const enter = (gate: FairPool, share: string): (() => void) => {
    const release = gate.take(share);
    if (release === undefined) throw new ProblemError("overloaded", undefined, comeBack());
    return release;
  };
  return {
    upload(client, share) {
      const mine = perClient.get(client) ?? 0;
      if (mine >= limits.uploadsPerClient) {
        throw new ProblemError("too-many-uploads", `${mine} uploads of this client are open`, comeBack());
      }
      const release = enter(uploads, share);
      perClient.set(client, mine + 1);
      return () => {
        release();
        const left = (perClient.get(client) ?? 1) - 1;
        if (left === 0) perClient.delete(client);
        else perClient.set(client, left);
      };
    },
    download: (share) => enter(downloads, share),
    get uploads() {
      return uploads.held;
    },
    get downloads() {
      return downloads.held;
    },
  };
}
