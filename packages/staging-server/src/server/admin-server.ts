import type { Server } from "node:http";
import { messageOf } from "@kindling/core-spec";
import { type Clock, within } from "@kindling/outside";
import { metricsAnswer, OK, plainServer } from "@kindling/service";
import type { Registry } from "prom-client";
import { StoreError } from "../errors/store-error.ts";

export interface AdminServerOptions {
  readonly registry: Registry;
  readonly probe: () => Promise<void>;
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  /** They have descriptors of their own: health checks are answered even if clients have taken all others. */
  readonly mostConnections: number;
}

export type Readiness =
  | { readonly status: "ready" }
  /** Downloads are served, uploads are refused. */
  | { readonly status: "degraded"; readonly reason: string }
  | { readonly status: "unavailable"; readonly reason: string };

const PROBE_FOR_MS = 5_000;
// A disk that takes longer, such as one of a network that is down, cannot serve clients.
const PROBE_WITHIN_MS = 10_000;

/** Health checks and metrics, on a port of their own, which only the cluster needs to reach. */
export function adminServer(options: AdminServerOptions): Server {
  const { registry, stopping, clock, mostConnections } = options;
  const readiness = cachedReadiness(options);
  return plainServer({
    clock,
    connections: { most: mostConnections, mostPerClient: mostConnections },
    routes: {
      "/healthz": () => OK,
      async "/readyz"() {
        const state = await readiness();
        const isReady = state.status !== "unavailable" && !stopping.aborted;
        const body = `${JSON.stringify(stopping.aborted ? STOPPING : state)}\n`;
        return { status: isReady ? 200 : 503, contentType: "application/json", body };
      },
      "/metrics": () => metricsAnswer(registry),
    },
  });
}

const STOPPING: Readiness = { status: "unavailable", reason: "the server is shutting down" };

function cachedReadiness({ probe, clock }: AdminServerOptions): () => Promise<Readiness> {
  let last: { readonly at: number; readonly state: Promise<Readiness> } | undefined;
  let running: Promise<Readiness> | undefined;

  async function look(): Promise<Readiness> {
    // A probe that hangs occupies a thread, so there is never a second one at the same time.
    running ??= probe()
      .then(ready, notReady)
      .finally(() => (running = undefined));
    return await within(clock, PROBE_WITHIN_MS, running, () => NO_ANSWER);
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
  // A server that cannot write still serves its files: removing it from its Service would make things worse.
  const readable = error instanceof StoreError && (error.kind === "no-space" || error.kind === "read-only");
  return { status: readable ? "degraded" : "unavailable", reason: messageOf(error) };
}
