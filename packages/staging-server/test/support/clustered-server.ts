import { ManualClock } from "@kindling/outside";
import type { CollectReport } from "@kindling/staging-client";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { servedCluster, type ServedCluster } from "./served-cluster.ts";
import { jsonCall, testServer, type TestServer } from "./test-server.ts";

export interface ClusteredServer extends ServedCluster {
  readonly server: TestServer;
  readonly clock: ManualClock;
}

export interface ClusteredServerOptions {
  /** The server's clock, which the test controls. */
  readonly clock?: ManualClock;
  readonly served?: ServedCluster;
}

/** A server that watches owners in the embedded cluster; the cluster has the real time. */
export async function clusteredServer(
  settings: Partial<ServerConfig> = {},
  // Tokens have the time of the machine's clock.
  { clock = new ManualClock(Date.now()), served }: ClusteredServerOptions = {},
): Promise<ClusteredServer> {
  const cluster = served ?? (await servedCluster());
  const server = await testServer(
    {
      "lifecycle.owners": "kubernetes",
      "cluster.kubeconfig": cluster.kubeconfig,
      "shutdown.grace": 0,
      // Tests start each round themselves.
      "lifecycle.interval": 1e9,
      ...settings,
    },
    { clock, connectCluster },
  );
  return { ...cluster, server, clock };
}

/** One collection now. */
export async function collect(server: TestServer, dryRun = false): Promise<CollectReport> {
  const answer = await server.call("api/v1/gc", jsonCall({ dryRun }));
  if (answer.status !== 200) throw new Error(`no collection: ${answer.body.toString()}`);
  return answer.json as CollectReport;
}

export const MINUTES: number = 60_000;
export const DAYS: number = 24 * 60 * MINUTES;
