import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { rateLimit } from "./rate-limit.ts";
import { connectionsTo, type Connections } from "./connections.ts";
import type { TransportOptions } from "./transport-options.ts";

/** What all requests of a transport have in common. */
export interface TransportContext {
  readonly access: ClusterAccess;
  readonly options: TransportOptions;
  readonly connections: Connections;
  readonly rate: (() => number) | undefined;
  readonly url: URL;
  /** The path of the server's own URL, before the path of a request. */
  readonly prefix: string;
  /** Aborted when the transport is closed. */
  readonly closing: AbortSignal;
}

export function transportContext(
  access: ClusterAccess,
  options: TransportOptions,
  closing: AbortSignal,
): TransportContext {
  const { clock, connectTimeoutMs } = options;
  const url = new URL(access.server);
  return {
    access,
    options,
    connections: connectionsTo(access, clock, { connectTimeoutMs }),
    rate: options.rateLimit && rateLimit(clock, options.rateLimit),
    url,
    prefix: url.pathname.replace(/\/$/, ""),
    closing,
  };
}
