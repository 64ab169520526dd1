import type { IncomingMessage, Server } from "node:http";
import type { Clock } from "@kindling/outside";
import { OK, plainServer, type PageAnswer, type PlainAnswer } from "./plain-server.ts";

/** What knows the metrics: a registry of prom-client's. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface AdminServerOptions {
  readonly registry: MetricsSource;
  readonly clock: Clock;
  /** Why clients should not be sent here; undefined if they should. */
  readonly notReady: () => string | undefined;
  /** What else can be read here; default: nothing. */
  readonly pages?: (request: IncomingMessage) => PageAnswer | undefined;
}

/** Health checks, metrics and pages for people, on a port of their own, which nobody outside the cluster need reach. */
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

/** All metrics, as Prometheus asks for them. */
export async function metricsAnswer(registry: MetricsSource): Promise<PlainAnswer> {
  return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
}
