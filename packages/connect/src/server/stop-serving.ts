import { type Clock, sleep } from "@kindling/outside";
import type { OpenCalls } from "../calls/open-calls.ts";
import type { GrpcServer } from "./grpc-server.ts";

/** Accepts no more calls, lets those that are under way end, and then cuts them. */
export async function stopServing(served: GrpcServer, calls: OpenCalls, graceMs: number, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => served.server.close(() => resolve()));
  served.goAway();
  const end = clock.monotonic() + graceMs;
  while (calls.size > 0 && clock.monotonic() < end) await sleep(clock, 50);
  calls.endAll();
  // The last statuses are still being sent.
  await sleep(clock, 50);
  served.destroy();
  await closed;
}
