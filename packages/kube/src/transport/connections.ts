import type { Agent, ClientRequest, OutgoingHttpHeaders, RequestOptions } from "node:http";
import type { ClientCertificate } from "../credentials/credential-source.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type * as TunnelAgents from "./proxy/tunnel-agents.ts";

/** Kept-alive connections to one server. */
export interface Connections {
  readonly secure: boolean;
  start(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    certificate: ClientCertificate | undefined,
  ): ClientRequest;
  /** Closes all connections, also those in use. */
  destroy(): void;
}

/** How connections are made, with or without TLS. */
export interface Wire {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agentFor: (certificate: ClientCertificate | undefined) => Agent;
}

/**
 * The connections for an access. Node's HTTP and TLS layers cost a command some ten milliseconds; they are loaded here
 * and not before. (The imports are of our own modules: a bundled `import("node:https")` would load Node's whole ES module
 * loader for it.)
 */
export async function openConnections(access: ClusterAccess): Promise<Connections> {
  const url = new URL(access.server);
  const secure = url.protocol === "https:";
  const wire = secure
    ? (await import("./tls-wire.ts")).tlsWire(access, await tunnels(access.proxy))
    : (await import("./plain-wire.ts")).plainWire(access, await tunnels(access.proxy));
  const target = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
  };
  const prefix = url.pathname.replace(/\/$/, "");
  const agents = new Set<Agent>();
  let agent: Agent | undefined;
  let agentCertificate: ClientCertificate | undefined;

  return {
    secure,
    start(method, path, headers, certificate) {
      if (agent === undefined || certificate?.cert !== agentCertificate?.cert) {
        // A plug-in has issued a new certificate: requests under way keep the old connections, which then run dry.
        agent = wire.agentFor(certificate);
        agentCertificate = certificate;
        agents.add(agent);
      }
      return wire.request({ ...target, agent, method, path: prefix + path, headers });
    },
    destroy() {
      for (const one of agents) one.destroy();
    },
  };
}

export type Tunnels = typeof TunnelAgents;

async function tunnels(proxy: string | undefined): Promise<Tunnels | undefined> {
  return proxy === undefined ? undefined : import("./proxy/tunnel-agents.ts");
}
