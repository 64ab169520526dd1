import { ProblemError } from "./problem-error.ts";
import { semaphore, type Semaphore } from "./semaphore.ts";

/**
 * Limits of how many transfers run at once. Whoever does not fit is sent away with a time to come back, spread at
 * random: a queue of a thousand executors would only hold memory and time out.
 */
export interface TransferGates {
  /**
   * @param client whose uploads are counted together
   * @returns gives the place back
   * @throws ProblemError `too-many-uploads`, `overloaded`
   */
  upload(client: string): () => void;
  download(): () => void;
  readonly uploads: number;
  readonly downloads: number;
}

export interface GateLimits {
  readonly uploads: number;
  readonly uploadsPerClient: number;
  readonly downloads: number;
}

export function transferGates(limits: GateLimits, random: () => number): TransferGates {
  const uploads = semaphore(limits.uploads);
  const downloads = semaphore(limits.downloads);
  const perClient = new Map<string, number>();
  const comeBack = (): { retryAfterSeconds: number } => ({ retryAfterSeconds: 1 + Math.floor(random() * 5) });
  const enter = (gate: Semaphore): (() => void) => {
    const release = gate.tryAcquire();
    if (release === undefined) throw new ProblemError("overloaded", undefined, comeBack());
    return release;
  };
  return {
    upload(client) {
      const mine = perClient.get(client) ?? 0;
      if (mine >= limits.uploadsPerClient) {
        throw new ProblemError("too-many-uploads", `${mine} uploads of this client are open`, comeBack());
      }
      const release = enter(uploads);
      perClient.set(client, mine + 1);
      return () => {
        release();
        const left = (perClient.get(client) ?? 1) - 1;
        if (left === 0) perClient.delete(client);
        else perClient.set(client, left);
      };
    },
    download: () => enter(downloads),
    get uploads() {
      return uploads.held;
    },
    get downloads() {
      return downloads.held;
    },
  };
}
