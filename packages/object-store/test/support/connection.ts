import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock, systemRandom } from "@kindling/outside";
import { onTestFinished } from "vitest";
import type { StoreConnection } from "../../src/connection.ts";

/** A connection to a server on this machine, with almost no pause between attempts. */
export function storeConnection(changes: Partial<StoreConnection> = {}): StoreConnection {
  const transport = httpTransport({
    clock: systemClock,
    tls: {},
    proxies: withoutProxy,
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
  });
  onTestFinished(() => transport.close());
  const backoff = { baseMs: 1, capMs: 1 };
  return { transport, clock: systemClock, random: systemRandom(), backoff, ...changes };
}
