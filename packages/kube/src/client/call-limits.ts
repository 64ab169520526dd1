import type { CallOptions } from "./options.ts";

/** Of a call what a request is limited by. */
export function limits(options: CallOptions): Pick<CallOptions, "signal" | "timeoutMs"> {
  return { signal: options.signal, timeoutMs: options.timeoutMs };
}
