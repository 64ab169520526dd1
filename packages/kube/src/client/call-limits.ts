import type { CallOptions } from "./options.ts";

/** The options of a call that limit a request. */
export function limits(options: CallOptions): Pick<CallOptions, "signal" | "timeoutMs"> {
  return { signal: options.signal, timeoutMs: options.timeoutMs };
}
