import { Agent, request } from "node:http";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { Tunnels, Wire } from "./connections.ts";
import { POOL_OPTIONS } from "./pool-options.ts";

/** Connections without TLS: `kubectl proxy`, tests. */
export function plainWire(access: ClusterAccess, tunnels: Tunnels | undefined): Wire {
  const agent =
    tunnels === undefined || access.proxy === undefined
      ? new Agent(POOL_OPTIONS)
      : tunnels.tunnelAgent(access.proxy, POOL_OPTIONS);
  return { request, agentFor: () => agent };
}
