import { setMaxListeners } from "node:events";

/** A signal for one call, which aborts when another signal aborts or when it is told to. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Removes the listener from the other signal, which may be used for many calls. */
  release(): void;
}

/**
 * Links a new signal to one of the caller's. `AbortSignal.any` would do the same, but it leaves data in a long-lived signal:
 * 60 bytes a call with Node 20, 240 with Node 22.
 */
export function linkedAbort(source: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort(source?.reason);
  if (source?.aborted === true) abort();
  if (source !== undefined) {
    // Many calls may share a signal; Node 20 warns of a leak from eleven listeners on, later versions do not.
    setMaxListeners(0, source);
    source.addEventListener("abort", abort, { once: true });
  }
  return { signal: controller.signal, abort, release: () => source?.removeEventListener("abort", abort) };
}
