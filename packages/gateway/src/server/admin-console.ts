import type { Server } from "node:http";
import type { KubeClient } from "@kindling/kube";
import type { Overview } from "@kindling/gateway-client";
import type { Clock } from "@kindling/outside";
import { adminServer } from "@kindling/service";
import { apiServerNames } from "../cluster/api-server-names.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import { registerIdleNodes } from "../console/metrics/idle-nodes.ts";
import { registerQueueMetrics } from "../console/metrics/queue-metrics.ts";
import { keptOverview } from "../console/overview/kept-overview.ts";
import { startPage } from "../console/page/start-page.ts";

export interface AdminConsoleOptions {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly overview: () => Overview;
  readonly idleNodes: () => number;
  /** Why drivers should not be sent here; undefined if they should. */
  readonly notReady: () => string | undefined;
}

/** What people and their tools see of a gateway. */
export interface AdminConsole {
  /** Health checks, metrics and the page for people; it does not listen yet. */
  readonly admin: Server;
  stop(): void;
}

export function startAdminConsole({
  config,
  client,
  clock,
  metrics,
  overview,
  idleNodes,
  notReady,
}: AdminConsoleOptions): AdminConsole {
  const kept = keptOverview(clock, overview);
  registerQueueMetrics(metrics.registry, kept);
  registerIdleNodes(metrics.registry, clock, idleNodes);
  const ofApiServer = apiServerNames(client.access, clock);
  const hosts = (): readonly string[] => [...config["admin.hosts"], ...ofApiServer()];
  const page = config["admin.page"] ? startPage({ clock, overview: kept, hosts }) : undefined;
  const admin = adminServer({
    ...{ clock, notReady, registry: metrics.registry },
    pages: (request) => page?.routes(request),
  });
  return { admin, stop: () => page?.stop() };
}
