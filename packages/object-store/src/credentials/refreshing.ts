import type { Clock } from "@kindling/outside";
import { cancelled } from "../connection.ts";
import type { AwsKeys, Credentials, LentKeys } from "./aws-keys.ts";

// A request may wait for a connection after it has been signed, a large part may take minutes to be sent, and a presigned
// URL is used later. Of keys that are short-lived, the first half counts.
const MARGIN_SECONDS = 5 * 60;
// After a failure, while the last keys still hold.
const PAUSE_MS = 30_000;

interface Held {
  readonly keys: AwsKeys;
  readonly end: number;
  refresh: number;
}

/**
 * Keeps keys for as long as they hold, and has them renewed before they end. However many ask, one renewal is under way at
 * a time. One that fails is no harm while the last keys hold.
 */
export function refreshing(lend: () => Promise<LentKeys>, clock: Clock): Credentials {
  let held: Held | undefined;
  let asking: Promise<AwsKeys> | undefined;

  async function renew(): Promise<AwsKeys> {
    const asked = clock.monotonic();
    try {
      const { keys, seconds = Infinity } = await lend();
      const fresh = Math.max(seconds - MARGIN_SECONDS, seconds / 2);
      held = { keys, end: asked + seconds * 1000, refresh: asked + fresh * 1000 };
      return keys;
    } catch (error) {
      const now = clock.monotonic();
      if (held === undefined || now >= held.end) throw error;
      held.refresh = now + PAUSE_MS;
      return held.keys;
    }
  }

  return async (signal) => {
    if (held !== undefined && clock.monotonic() < held.refresh) return held.keys;
    asking ??= renew().finally(() => (asking = undefined));
    return await unlessAborted(asking, signal);
  };
}

/** Others may wait for the same renewal: who gives up does not end it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  return await new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
