import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { guardConnections } from "./connections/connection-guard.ts";

/** An answer that is at hand as a whole. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

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

// Requests are a line each, and whoever sends them asks again soon.
const SHORT_LIVED = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
// When all are taken, the oldest idle one goes, so that whoever asks for health finds a place.
const LIMITS = { most: 64, mostPerClient: 32, isProxy: () => false };

/** Health checks, metrics and pages for people, on a port of their own, which nobody outside the cluster need reach. */
export function adminServer({ registry, clock, notReady, pages = () => undefined }: AdminServerOptions): Server {
  const server = createServer(SHORT_LIVED);
  const answerRequest: RequestListener = (request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    };
    const [path = ""] = (request.url ?? "").split("?");
    switch (path) {
      case "/healthz":
        answer(200, "text/plain", "ok\n");
        break;
      case "/readyz": {
        const reason = notReady();
        if (reason === undefined) answer(200, "text/plain", "ok\n");
        else answer(503, "text/plain", `${reason}\n`);
        break;
      }
      case "/metrics":
        registry.metrics().then(
          (text) => answer(200, registry.contentType, text),
          (error: unknown) => answer(500, "text/plain", `${messageOf(error)}\n`),
        );
        break;
      default: {
        const page = pages(request);
        if (page === undefined) answer(404, "text/plain", "not found\n");
        else response.writeHead(page.status, page.headers).end(page.body);
      }
    }
  };
  guardConnections(server, { request: answerRequest }, { limits: LIMITS, clock, onCut: () => undefined });
  return server;
}
