import type { AgentOptions } from "node:http";

/**
 * API servers close idle connections after 90 s, load balancers often after 60 or 30. This side has to close first, or
 * requests fail with a reset.
 */
const IDLE_CONNECTION_MS = 25_000;
/**
 * The idle time after which the peer is probed. The kernel's probes are a second apart, so a lost peer is noticed ten
 * seconds later.
 */
const KEEP_ALIVE_PROBE_MS = 30_000;

export const POOL_OPTIONS: AgentOptions = {
  keepAlive: true,
  keepAliveMsecs: KEEP_ALIVE_PROBE_MS,
  timeout: IDLE_CONNECTION_MS,
  maxFreeSockets: 64,
  // The connection that was used last is most likely still open.
  scheduling: "lifo",
};
