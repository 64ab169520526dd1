import { ManualClock, systemClock } from "@kindling/outside";
import { testAuthority } from "@kindling/test-kit/certificates";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import {
  adminServer,
  closeServer,
  expiringCache,
  isLoopback,
  jsonLog,
  listen,
  listening,
  readCertificate,
  uriOf,
} from "../src/index.ts";

test("a log has a line of JSON for each message of its level, harmless and not too long", () => {
  const lines: string[] = [];
  const log = jsonLog({ write: (line) => void lines.push(line) }, new ManualClock(0), "info");
  log.debug("left out");
  log.warn("told", { text: `\u001b[31m${"x".repeat(5000)}`, count: 2, nothing: undefined });
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? "") as { readonly text: string };
  expect(line).toMatchObject({ level: "warn", time: "1970-01-01T00:00:00.000Z", msg: "told", count: 2 });
  expect(line.text.length).toBeLessThan(2100);
  expect(line.text).not.toContain("\u001b");
});

test("health, readiness and metrics are told on a port of their own", async () => {
  let reason: string | undefined = "not yet";
  const registry = { contentType: "text/plain; version=0.0.4", metrics: () => Promise.resolve("a 1\n") };
  const server = adminServer({ registry, clock: systemClock, notReady: () => reason });
  const port = await listen(server, "127.0.0.1", 0);
  onTestFinished(() => closeServer(server));
  const ask = async (path: string): Promise<unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, await answer.text()];
  };
  expect(await ask("/healthz")).toEqual([200, "ok\n"]);
  expect(await ask("/readyz")).toEqual([503, "not yet\n"]);
  reason = undefined;
  expect(await ask("/readyz")).toEqual([200, "ok\n"]);
  expect(await ask("/metrics")).toEqual([200, "a 1\n"]);
  expect(await ask("/else")).toEqual([404, "not found\n"]);
});

test("a port that is taken is told by its setting", async () => {
  const registry = { contentType: "", metrics: () => Promise.resolve("") };
  const first = adminServer({ registry, clock: systemClock, notReady: () => undefined });
  const port = await listen(first, "127.0.0.1", 0);
  onTestFinished(() => closeServer(first));
  const config = { "listen.host": "127.0.0.1", "listen.port": port, "admin.host": "127.0.0.1", "admin.port": 0 };
  const second = adminServer({ registry, clock: systemClock, notReady: () => undefined });
  await expect(listening(config, "listen", (host, wanted) => listen(second, host, wanted))).rejects.toMatchObject({
    code: "CONF_INVALID",
    hint: "change listen.host or listen.port",
  });
});

test("a certificate without its key is refused, and named", async () => {
  const authority = testAuthority("cluster");
  const folder = scratchFolder();
  const [own, other] = [authority.issue("a"), authority.issue("b")];
  const files = { "tls.certFile": folder.write("crt", own.cert), "tls.keyFile": folder.write("key", other.key) };
  await expect(readCertificate(files)).rejects.toMatchObject({ code: "FILE_UNPARSABLE" });
  await expect(readCertificate({ ...files, "tls.keyFile": "/nowhere" })).rejects.toMatchObject({
    message: expect.stringContaining("tls.keyFile: cannot read /nowhere") as string,
  });
  folder.write("key", own.key);
  expect(await readCertificate(files)).toEqual({ certificate: own.cert, key: own.key, clientCa: undefined });
  expect(await readCertificate({ "tls.certFile": undefined, "tls.keyFile": undefined })).toBeUndefined();
});

test("answers are believed for their time, shared by those who ask at once, and failures are not kept", async () => {
  const clock = new ManualClock();
  const cache = expiringCache<number>(clock, 2);
  let asked = 0;
  const ask = (): Promise<number> => Promise.resolve(++asked);
  const get = (key = "a"): Promise<number> => cache.get(key, () => 10, ask);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  await clock.advance(9_000);
  expect(await get()).toBe(1);
  await clock.advance(2_000);
  expect(await get()).toBe(2);
  await expect(
    cache.get(
      "b",
      () => 10,
      () => Promise.reject(new Error("away")),
    ),
  ).rejects.toThrow("away");
  expect(await get("b")).toBe(3);
  await get("c");
  expect(await get()).toBe(5);
});

test("which addresses only this machine reaches, and how a server is reached from it", () => {
  expect(["127.0.0.1", "127.8.0.1", "::1", "localhost"].map(isLoopback)).toEqual([true, true, true, true]);
  expect(["0.0.0.0", "::", "10.0.0.1", "localhost.example", "1127.0.0.1"].map(isLoopback)).not.toContain(true);
  expect(uriOf("https", "0.0.0.0", 8443)).toBe("https://127.0.0.1:8443/");
  expect(uriOf("http", "::1", 80)).toBe("http://[::1]:80/");
});
