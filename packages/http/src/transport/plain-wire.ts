import { Agent, request, type AgentOptions } from "node:http";

export { request };

/** Connections without TLS. */
export function plainAgent(options: AgentOptions): Agent {
  return new Agent(options);
}
