import type { Server } from "node:http";
import type { KubeClient } from "@kindling/kube";
import type { Overview } from "@kindling/gateway-client";
import type { Outside } from "@kindling/outside";
import { adminServer, type AuditLog, type Log } from "@kindling/service";
import { apiServerNames } from "../cluster/api-server-names.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import { registerIdleNodes } from "../console/metrics/idle-nodes.ts";
import { registerQueueMetrics } from "../console/metrics/queue-metrics.ts";
import { keptOverview } from "../console/overview/kept-overview.ts";
import { pageServer } from "./open-page-port.ts";
import { startPage } from "../console/page/start-page.ts";
import { recorderConnection } from "../recorder/recorder-connection.ts";

export interface AdminConsoleOptions extends Pick<Outside, "clock" | "random" | "env"> {
  readonly config: GatewayConfig;
  readonly client: KubeClient;
  readonly log: Log;
  readonly auditLog: AuditLog;
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
  /** The page for people who sign in; undefined if there is none. It does not listen yet. */
  readonly page: Server | undefined;
  stop(): void;
}

/** Somebody waits for the page; a log may be read slowly. */
const RECORDER_LIMITS = { answerMs: 15_000, underWayMs: 600_000 };

export function startAdminConsole({
  config,
  client,
  log,
  auditLog,
  metrics,
  overview,
  idleNodes,
  notReady,
  ...outside
}: AdminConsoleOptions): AdminConsole {
  const { clock } = outside;
  const kept = keptOverview(clock, overview);
  registerQueueMetrics(metrics.registry, kept);
  registerIdleNodes(metrics.registry, clock, idleNodes);
  const ofApiServer = apiServerNames(client.access, clock);
  const hosts = (): readonly string[] => [...config["admin.hosts"], ...ofApiServer()];
  const hasPage = config["admin.page"] || config["page.port"] !== undefined;
  const page = hasPage ? startPage({ clock, overview: kept, hosts }) : undefined;
  const admin = adminServer({
    ...{ clock, notReady, registry: metrics.registry },
    ...(config["admin.page"] && page !== undefined && { pages: page.routes }),
  });
  const recorder =
    config["page.port"] === undefined ? undefined : recorderConnection(config, { clock, ...RECORDER_LIMITS });
  const forUsers = pageServer({
    ...outside,
    config,
    client,
    log,
    auditLog,
    recorder,
    overview: kept,
    samples: page?.samples ?? (() => []),
  });
  return {
    admin,
    page: forUsers,
    stop() {
      page?.stop();
      recorder?.close();
    },
  };
}
