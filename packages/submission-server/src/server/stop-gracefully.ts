import { type Clock, sleep, within } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { FastifyInstance } from "fastify";
import type { Gate } from "../http/gate.ts";

export interface StopOptions {
  /** Submissions that are under way. They may take as long as the grace period. */
  readonly submissions: Gate;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

const IDLE_LOOK_MS = 100;

/** Accepts no more connections, and closes the open ones when all submissions have ended. */
export async function stopGracefully(
  app: FastifyInstance,
  { submissions, graceMs, clock, log }: StopOptions,
): Promise<void> {
  const { server } = app;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const end = clock.monotonic() + graceMs;
  while (submissions.inside > 0 && clock.monotonic() < end) {
    server.closeIdleConnections();
    await sleep(clock, IDLE_LOOK_MS);
  }
  if (submissions.inside > 0) log.warn("cutting off submissions", { submissions: submissions.inside });
  // Answers that were just created are still being sent.
  server.closeIdleConnections();
  await within(clock, IDLE_LOOK_MS, closed, () => undefined);
  server.closeAllConnections();
  await closed;
  await app.close();
}
