import { Agent as HttpAgent, type AgentOptions as HttpAgentOptions, type ClientRequestArgs } from "node:http";
import { Agent as HttpsAgent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { connect as tlsConnect, type ConnectionOptions } from "node:tls";
import { openTunnel } from "./open-tunnel.ts";

type Callback = (error: Error | null, stream: Duplex) => void;

/** An agent whose connections run through a proxy to a server without TLS. */
export function tunnelAgent(proxy: string, options: HttpAgentOptions): HttpAgent {
  const through = new URL(proxy);
  const agent = new HttpAgent(options);
  agent.createConnection = (request: ClientRequestArgs, callback?: Callback) => {
    void open(through, request, callback, (socket) => socket);
    return undefined;
  };
  return agent;
}

/** An agent whose TLS connections run through a proxy. */
export function tlsTunnelAgent(proxy: string, options: AgentOptions): HttpsAgent {
  const through = new URL(proxy);
  const agent = new HttpsAgent(options);
  agent.createConnection = (request: ClientRequestArgs, callback?: Callback) => {
    void open(through, request, callback, (socket) => tlsConnect({ ...(request as ConnectionOptions), socket }));
    return undefined;
  };
  return agent;
}

async function open(
  proxy: URL,
  request: ClientRequestArgs,
  callback: Callback | undefined,
  dress: (socket: Duplex) => Duplex,
): Promise<void> {
  // Node's declared callback wants a stream even where there is an error.
  const done = callback as ((error: unknown, stream?: Duplex) => void) | undefined;
  let stream: Duplex;
  try {
    stream = dress(await openTunnel(proxy, { host: request.host ?? "localhost", port: Number(request.port) }));
  } catch (error) {
    done?.(error);
    return;
  }
  done?.(null, stream);
}
