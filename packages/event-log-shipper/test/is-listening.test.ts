import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { isListening } from "../src/index.ts";

test.runIf(process.platform === "linux").each(["127.0.0.1", "::1"])(
  "a port of %s is open while somebody listens",
  async (host) => {
    const server = createServer();
    server.listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await isListening(port)).toBe(true);
    server.close();
    await once(server, "close");
    expect(await isListening(port)).toBe(false);
  },
);
