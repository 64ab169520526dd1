import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Ports that neither the system gives to connections and to servers without a port of their own (on Linux from 32768 on), nor
 * Kubernetes to services (from 30000 on): nobody takes one of these before the test does.
 */
const FIRST = 20_000;
const AFTER_LAST = 30_000;

/** A free port of this machine, for a server that must be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return isListening;
}
