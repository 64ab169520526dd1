import { sleep, within } from "@kindling/outside";
import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../routes/server-context.ts";

const IDLE_LOOK_MS = 100;
// The time in which uploads that were cut off at the deadline can record how far they are.
const SAVE_MS = 5_000;

/**
 * Ends a server's transfers: those under way may finish within the grace period. Then they are cut off, and the received
 * bytes of uploads are kept, so that clients can go on with the next server.
 */
export async function stopGracefully(
  app: FastifyInstance,
  context: ServerContext,
  graceSeconds: number,
): Promise<void> {
  const { clock, gates, log } = context;
  const { server } = app;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = (): boolean => gates.uploads === 0 && gates.downloads === 0;
  const begin = clock.monotonic();
  while (!idle() && clock.monotonic() - begin < graceSeconds * 1000) {
    server.closeIdleConnections();
    await sleep(clock, IDLE_LOOK_MS);
  }
  if (!idle()) log.warn({ uploads: gates.uploads, downloads: gates.downloads }, "cutting off transfers");
  server.closeIdleConnections();
  await within(clock, IDLE_LOOK_MS, closed, () => undefined);
  server.closeAllConnections();
  const cut = clock.monotonic();
  while (!idle() && clock.monotonic() - cut < SAVE_MS) await sleep(clock, IDLE_LOOK_MS / 10);
  await closed;
  await app.close();
}
