import type { AgentOptions } from "node:http";

/** The API server closes idle connections after 90 s, some load balancers after 60 s: be first, or requests meet a reset. */
const IDLE_CONNECTION_MS = 30_000;
/** When a silent peer is probed; with the kernel's probes a second apart, a vanished one is noticed ten seconds later. */
const KEEP_ALIVE_PROBE_MS = 30_000;

export const POOL_OPTIONS: AgentOptions = {
  keepAlive: true,
  keepAliveMsecs: KEEP_ALIVE_PROBE_MS,
  timeout: IDLE_CONNECTION_MS,
  maxFreeSockets: 64,
};
