import type { Agent, ClientRequest, OutgoingHttpHeaders } from "node:http";
import type { AgentOptions } from "node:https";
import type { SecureContext, SecureContextOptions } from "node:tls";
import type { ClientCertificate } from "../credentials/credential-source.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";

/** The API server closes idle connections after 90 s, some load balancers after 60 s: be first, or requests meet a reset. */
const IDLE_CONNECTION_MS = 30_000;
/** When a silent peer is probed; with the kernel's probes a second apart, a vanished one is noticed ten seconds later. */
const KEEP_ALIVE_PROBE_MS = 30_000;

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

/** Loads Node's HTTP layers, which cost a command some ten milliseconds, only when there is something to send. */
export async function openConnections(access: ClusterAccess): Promise<Connections> {
  const url = new URL(access.server);
  const secure = url.protocol === "https:";
  const { request } = secure ? await import("node:https") : await import("node:http");
  const makeAgent = secure ? await tlsAgents(access) : await plainAgents(access);
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
        agent = makeAgent(certificate);
        agentCertificate = certificate;
        agents.add(agent);
      }
      return request({ ...target, agent, method, path: prefix + path, headers });
    },
    destroy() {
      for (const one of agents) one.destroy();
    },
  };
}

type AgentFactory = (certificate: ClientCertificate | undefined) => Agent;

const POOL: AgentOptions = {
  keepAlive: true,
  keepAliveMsecs: KEEP_ALIVE_PROBE_MS,
  timeout: IDLE_CONNECTION_MS,
  maxFreeSockets: 64,
};

async function plainAgents(access: ClusterAccess): Promise<AgentFactory> {
  if (access.proxy !== undefined) {
    const { tunnelAgent } = await import("./proxy/tunnel-agents.ts");
    const agent = tunnelAgent(access.proxy, POOL);
    return () => agent;
  }
  const { Agent } = await import("node:http");
  const agent = new Agent(POOL);
  return () => agent;
}

async function tlsAgents(access: ClusterAccess): Promise<AgentFactory> {
  const { tls, proxy } = access;
  const { createSecureContext } = await import("node:tls");
  const { Agent } = await import("node:https");
  const tunnels = proxy === undefined ? undefined : await import("./proxy/tunnel-agents.ts");

  return (certificate) => {
    const options: AgentOptions = {
      ...POOL,
      secureContext: secureContext(createSecureContext, access, certificate),
      rejectUnauthorized: !tls.insecureSkipVerify,
      ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    };
    return tunnels === undefined || proxy === undefined ? new Agent(options) : tunnels.tlsTunnelAgent(proxy, options);
  };
}

/** Made once and shared by all connections: parsing certificates costs more than a request. */
function secureContext(
  create: (options: SecureContextOptions) => SecureContext,
  access: ClusterAccess,
  certificate: ClientCertificate | undefined,
): SecureContext {
  try {
    return create({
      // An empty list keeps Node from loading the system's authorities where nothing is checked anyway.
      ...(access.tls.insecureSkipVerify ? { ca: [] } : access.tls.ca === undefined ? {} : { ca: access.tls.ca }),
      ...certificate,
    });
  } catch (error) {
    const of = certificate === undefined ? `the CA of ${access.server}` : access.credentials.description;
    throw kubeError(
      { kind: "config", file: undefined },
      `${of}: the certificate or key cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
