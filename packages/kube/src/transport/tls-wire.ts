import { Agent, request, type AgentOptions } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import type { ClientCertificate } from "../credentials/credential-source.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { Tunnels, Wire } from "./connections.ts";
import { POOL_OPTIONS } from "./pool-options.ts";

/** Connections with TLS, perhaps with a client certificate. */
export function tlsWire(access: ClusterAccess, tunnels: Tunnels | undefined): Wire {
  const { tls, proxy } = access;
  return {
    request,
    agentFor(certificate) {
      const options: AgentOptions = {
        ...POOL_OPTIONS,
        secureContext: secureContext(access, certificate),
        rejectUnauthorized: !tls.insecureSkipVerify,
        ...(tls.servername === undefined ? {} : { servername: tls.servername }),
      };
      return tunnels === undefined || proxy === undefined ? new Agent(options) : tunnels.tlsTunnelAgent(proxy, options);
    },
  };
}

/** Made once and shared by all connections: parsing certificates costs more than a request. */
function secureContext(access: ClusterAccess, certificate: ClientCertificate | undefined): SecureContext {
  const { ca, insecureSkipVerify } = access.tls;
  try {
    return createSecureContext({
      // An empty list keeps Node from loading the system's authorities where nothing is checked anyway.
      ...(insecureSkipVerify ? { ca: [] } : ca === undefined ? {} : { ca }),
      ...certificate,
    });
  } catch (error) {
    const whose = certificate === undefined ? `the CA of ${access.server}` : access.credentials.description;
    throw kubeError(
      { kind: "config", file: undefined },
      `${whose}: the certificate or key cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
