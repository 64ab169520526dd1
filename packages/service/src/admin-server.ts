import type { Server } from "node:http";
import type { Clock } from "@kindling/outside";
import { OK, type Pages, plainServer, type PlainAnswer } from "./plain-server.ts";

/** The source of the metrics: a registry of prom-client. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface AdminServerOptions {
  readonly registry: MetricsSource;
  readonly clock: Clock;
  /** Why this server is not ready for clients; undefined if it is. */
  readonly notReady: () => string | undefined;
  /** More pages; default: none. */
  readonly pages?: Pages;
}

/** Health checks, metrics and pages for people, on a separate port that need not be reachable from outside the cluster. */
export function adminServer({ registry, clock, notReady, pages }: AdminServerOptions): Server {
  return plainServer({
    clock,
    routes: {
      "/healthz": () => OK,
      "/readyz": () => {
        const reason = notReady();
        return reason === undefined ? OK : { status: 503, contentType: "text/plain", body: `${reason}\n` };
      },
      "/metrics": () => metricsAnswer(registry),
    },
    pages,
  });
}

/** All metrics, in Prometheus' format. */
export async function metricsAnswer(registry: MetricsSource): Promise<PlainAnswer> {
  return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
}
