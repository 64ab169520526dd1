import { Agent as HttpAgent, type AgentOptions as HttpAgentOptions, type ClientRequestArgs } from "node:http";
import { Agent as HttpsAgent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { connect as tlsConnect, type ConnectionOptions } from "node:tls";
import { openTunnel, type TunnelSettings } from "./open-tunnel.ts";
import type { Proxy } from "./proxy.ts";

type Callback = (error: Error | null, stream: Duplex) => void;

/** An agent whose connections run through a proxy to a server without TLS. */
export function tunnelAgent(proxy: Proxy, options: HttpAgentOptions, settings: TunnelSettings): HttpAgent {
  const agent = new HttpAgent(options);
  agent.createConnection = (request: ClientRequestArgs, callback?: Callback) => {
    void open(proxy, request, settings, callback, (socket) => socket);
    return undefined;
  };
  return agent;
}

/** An agent whose TLS connections run through a proxy. */
export function tlsTunnelAgent(proxy: Proxy, options: AgentOptions, settings: TunnelSettings): HttpsAgent {
  const agent = new HttpsAgent(options);
  agent.createConnection = (request: ClientRequestArgs, callback?: Callback) => {
    const dress = (socket: Duplex): Duplex => tlsConnect({ ...(request as ConnectionOptions), socket });
    void open(proxy, request, settings, callback, dress);
    return undefined;
  };
  return agent;
}

async function open(
  proxy: Proxy,
  request: ClientRequestArgs,
  settings: TunnelSettings,
  callback: Callback | undefined,
  dress: (socket: Duplex) => Duplex,
): Promise<void> {
  // Node's declared callback type needs a stream even if there is an error.
  const done = callback as ((error: unknown, stream?: Duplex) => void) | undefined;
  let stream: Duplex;
  try {
    const target = { host: request.host ?? "localhost", port: Number(request.port) };
    stream = dress(await openTunnel(proxy, target, settings));
  } catch (error) {
    done?.(error);
    return;
  }
  done?.(null, stream);
}
