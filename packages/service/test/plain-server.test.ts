import { once } from "node:events";
import { get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { systemClock } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import { plainServer } from "../src/index.ts";

async function served(body: Readable): Promise<string> {
  const pages = (): { status: number; headers: Record<string, string>; body: Readable } => ({
    ...{ status: 200, headers: { "content-type": "text/plain" }, body },
  });
  const server: Server = plainServer({ clock: systemClock, routes: {}, pages });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a page that is a stream arrives whole", async () => {
  const text = "line\n".repeat(100_000);
  expect(await (await fetch(await served(Readable.from([text, text])))).text()).toBe(text + text);
});

test("a reader who asks for the header alone gets no stream", async () => {
  const body = Readable.from(["text"]);
  const answer = await fetch(await served(body), { method: "HEAD" });
  expect({ status: answer.status, isClosed: body.destroyed }).toEqual({ status: 200, isClosed: true });
});

test("a stream whose reader goes is ended, and one that fails is cut", async () => {
  const endless = new Readable({ read: () => void endless.push("x".repeat(65_536)) });
  const request = get(await served(endless));
  request.on("error", () => undefined);
  await once(request, "response");
  request.destroy();
  await new Promise<void>((resolve) => endless.once("close", () => resolve()));

  const broken = new Readable({ read: () => undefined });
  broken.push("begins");
  const answer = await fetch(await served(broken));
  broken.destroy(new Error("the source has failed"));
  await expect(answer.text()).rejects.toThrow("terminated");
});
