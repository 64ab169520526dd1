import * as http from "node:http";
import * as https from "node:https";
import type { TransportOptions } from "./http-transport.ts";
import { lookupWithin, type Reach } from "./reach.ts";

/** Pools of kept-alive connections. */
export interface Agents {
  /** Requests of one reach never share a connection with those of another. */
  for(url: URL, reach: Reach | undefined): http.Agent;
  /** Closes the connections that wait for another request. */
  close(): void;
}

export function agents({ tls, maxConnections, lookup: resolve }: TransportOptions): Agents {
  const { ca, ...identity } = tls;
  const open = new Map<string, http.Agent>();
  const create = (secure: boolean, reach: Reach | undefined): http.Agent => {
    const lookup = reach === undefined ? resolve : lookupWithin(reach);
    const pool = {
      keepAlive: true,
      maxSockets: maxConnections,
      scheduling: "lifo" as const,
      ...(lookup !== undefined && { lookup }),
    };
    if (!secure) return new http.Agent(pool);
    return new https.Agent({
      ...pool,
      ...identity,
      // Said, so that NODE_TLS_REJECT_UNAUTHORIZED in somebody's environment does not turn it off.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
    });
  };
  return {
    for({ protocol }, reach) {
      const key = `${protocol} ${reach ?? "anywhere"}`;
      const existing = open.get(key);
      if (existing !== undefined) return existing;
      const agent = create(protocol === "https:", reach);
      open.set(key, agent);
      return agent;
    },
    close() {
      for (const agent of open.values()) agent.destroy();
    },
  };
}
