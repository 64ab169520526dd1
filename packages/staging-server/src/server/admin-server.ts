import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { messageOf } from "@kindling/core-spec";
import { sleep, type Clock } from "@kindling/outside";
import { guardConnections } from "@kindling/service";
import type { Registry } from "prom-client";
import { StoreError } from "../errors/store-error.ts";

export interface AdminServerOptions {
  readonly registry: Registry;
  readonly probe: () => Promise<void>;
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  /** They have descriptors of their own: whoever asks for health is answered when clients have taken all others. */
  readonly mostConnections: number;
}

export type Readiness =
  | { readonly status: "ready" }
  /** Downloads are served, uploads are refused. */
  | { readonly status: "degraded"; readonly reason: string }
  | { readonly status: "unavailable"; readonly reason: string };

const PROBE_FOR_MS = 5_000;
// A disk that takes longer, as one of a network that is gone, serves nobody.
const PROBE_WITHIN_MS = 10_000;
// Requests are a line each, and whoever sends them asks again soon.
const SHORT_LIVED = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** Health checks and metrics, on a port of their own, which nobody outside the cluster need reach. */
export function adminServer(options: AdminServerOptions): Server {
  const { registry, stopping } = options;
  const readiness = cachedReadiness(options);
  const server = createServer(SHORT_LIVED);
  guardConnections(
    server,
    { request: answerRequest },
    {
      limits: { most: options.mostConnections, mostPerClient: options.mostConnections, isProxy: () => false },
      clock: options.clock,
      onCut: () => undefined,
    },
  );
  return server;

  function answerRequest(request: IncomingMessage, response: ServerResponse): void {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    };
    const [path = ""] = (request.url ?? "").split("?");
    switch (path) {
      case "/healthz":
        answer(200, "text/plain", "ok\n");
        break;
      case "/readyz":
        void readiness().then((state) => {
          const ready = state.status !== "unavailable" && !stopping.aborted;
          answer(ready ? 200 : 503, "application/json", `${JSON.stringify(stopping.aborted ? STOPPING : state)}\n`);
        });
        break;
      case "/metrics":
        registry.metrics().then(
          (text) => answer(200, registry.contentType, text),
          (error: unknown) => answer(500, "text/plain", `${messageOf(error)}\n`),
        );
        break;
      default:
        answer(404, "text/plain", "not found\n");
    }
  }
}

const STOPPING: Readiness = { status: "unavailable", reason: "the server is shutting down" };

function cachedReadiness({ probe, clock }: AdminServerOptions): () => Promise<Readiness> {
  let last: { readonly at: number; readonly state: Promise<Readiness> } | undefined;
  let running: Promise<Readiness> | undefined;

  async function look(): Promise<Readiness> {
    // One that hangs holds a thread: there is never a second one beside it.
    running ??= probe()
      .then(ready, notReady)
      .finally(() => (running = undefined));
    const answered = new AbortController();
    const late = sleep(clock, PROBE_WITHIN_MS, answered.signal).then(() => NO_ANSWER);
    const state = await Promise.race([running, late]);
    answered.abort();
    return state;
  }

  return () => {
    const now = clock.monotonic();
    if (last === undefined || now - last.at > PROBE_FOR_MS) last = { at: now, state: look() };
    return last.state;
  };
}

const NO_ANSWER: Readiness = {
  status: "unavailable",
  reason: `the storage has not answered for ${PROBE_WITHIN_MS / 1000} s`,
};

function ready(): Readiness {
  return { status: "ready" };
}

function notReady(error: unknown): Readiness {
  // A server that cannot be written still serves what it has: taking it out of its Service would make things worse.
  const readable = error instanceof StoreError && (error.kind === "no-space" || error.kind === "read-only");
  return { status: readable ? "degraded" : "unavailable", reason: messageOf(error) };
}
