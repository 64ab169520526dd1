import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { listeningAt } from "../src/index.ts";

test.runIf(process.platform === "linux").each(["127.0.0.1", "::1", "::"])(
  "a port of %s is open while somebody listens, however often that is asked",
  async (host) => {
    const server = createServer();
    server.listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const isListening = listeningAt(port);
    for (let time = 0; time < 3; time++) expect(await isListening()).toBe(true);
    server.close();
    await once(server, "close");
    for (let time = 0; time < 3; time++) expect(await isListening()).toBe(false);
  },
);

test.runIf(process.platform === "linux")("a port that nobody has had is left to others", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const isListening = listeningAt(port);
  const asked = isListening();
  const next = createServer();
  next.listen(port, "127.0.0.1");
  await once(next, "listening");
  await asked;
  expect(await isListening()).toBe(true);
  next.close();
  await once(next, "close");
});
