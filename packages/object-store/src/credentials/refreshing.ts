import type { Clock } from "@kindling/outside";
import { cancelled } from "../connection.ts";
import type { Credentials, LentKeys } from "./aws-keys.ts";

// A request may wait for a connection after it has been signed, a large part may take minutes to be sent, and a presigned
// URL is used later. Short-lived keys are renewed after half of their time.
const MARGIN_SECONDS = 5 * 60;
// The pause after a failure, while the last keys are still valid.
const PAUSE_MS = 30_000;

interface Held<Keys> {
  readonly keys: Keys;
  readonly end: number;
  refresh: number;
}

/**
 * Keeps keys for as long as they are valid, and renews them before they expire. Only one renewal is under way at a time.
 * A failed renewal does no harm while the last keys are valid.
 */
export function refreshing<Keys>(lend: () => Promise<LentKeys<Keys>>, clock: Clock): Credentials<Keys> {
  let held: Held<Keys> | undefined;
  let asking: Promise<Keys> | undefined;

  async function renew(): Promise<Keys> {
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

/** Other callers may wait for the same renewal, so it goes on when one caller gives up. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  return await new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
