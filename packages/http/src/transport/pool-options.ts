import type { AgentOptions } from "node:http";

/** API servers close idle connections after 90 s, load balancers often after 60 or 30: be first, or requests meet a reset. */
const IDLE_CONNECTION_MS = 25_000;
/** When a silent peer is probed; with the kernel's probes a second apart, a vanished one is noticed ten seconds later. */
const KEEP_ALIVE_PROBE_MS = 30_000;

export const POOL_OPTIONS: AgentOptions = {
  keepAlive: true,
  keepAliveMsecs: KEEP_ALIVE_PROBE_MS,
  timeout: IDLE_CONNECTION_MS,
  maxFreeSockets: 64,
  // The connection that was used last is the one that is most likely to live.
  scheduling: "lifo",
};
