import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemClock, systemRandom } from "@kindling/outside";
import { selfSigned } from "@kindling/x509";
import { describe, expect, test } from "vitest";
import { readSettings } from "../src/index.ts";
import { Client, HOST } from "./support/client.ts";
import { registration, start } from "./support/server.ts";

const { certificate, key } = selfSigned(systemClock, systemRandom(), HOST, 1);
const LARGE = Buffer.alloc(3_000_000, "large");

describe("with a key and its certificate, the server", () => {
  test("speaks TLS, and serves the same bytes", async () => {
    await using running = await start({ tls: { certificate, key } });
    running.files.writeMap(0, 0, [Buffer.from("first"), LARGE]);
    const client = await Client.connectTls(running.server.port, certificate);
    expect(await client.ask(registration(running.files))).toBeUndefined();
    const streamId = await client.open("1", [
      [0, 0],
      [0, 1],
    ]);
    expect(await client.chunk(streamId, 0)).toEqual(Buffer.from("first"));
    const large = await client.chunk(streamId, 1);
    expect(typeof large !== "string" && LARGE.equals(large)).toBe(true);
    client.close();
  });

  test("answers nobody without TLS, and says so once", async () => {
    await using running = await start({ tls: { certificate, key } });
    const socket = connect({ port: running.server.port, host: "127.0.0.1" });
    let received = 0;
    socket.on("data", ({ length }) => (received += length));
    socket.on("error", () => undefined);
    socket.write(Buffer.from("0000000000000015030000000000000001000000000000000000", "hex"));
    await once(socket, "close");
    expect(received).toBeLessThan(100);
    expect(running.log.filter((line) => line.startsWith("refused (authentication)"))).toHaveLength(1);
  });

  test("says nothing about those who only look whether its port is open", async () => {
    await using running = await start({ tls: { certificate, key } });
    const looks = connect({ port: running.server.port, host: "127.0.0.1" });
    await once(looks, "connect");
    looks.destroy();
    // A client that comes after it is answered, so the server has seen both.
    const client = await Client.connectTls(running.server.port, certificate);
    client.close();
    expect(running.log.filter((line) => line.startsWith("refused"))).toEqual([]);
  });

  test("takes no version before TLS 1.2", async () => {
    await using running = await start({ tls: { certificate, key } });
    const options = { port: running.server.port, host: "127.0.0.1", servername: HOST, ca: certificate };
    const old = connectTls({ ...options, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" });
    const [error] = await once(old, "error");
    expect(String(error)).toMatch(/alert protocol version|unsupported protocol|version/i);
  });

  test("asks for the secret after that, if there is one", async () => {
    await using running = await start({ tls: { certificate, key }, secret: "c2VjcmV0" });
    const client = await Client.connectTls(running.server.port, certificate);
    expect(await client.ask(registration(running.files))).toMatch(/Expected SaslMessage/);
  });

  test("does not start with what is no key", async () => {
    await expect(start({ tls: { certificate, key: "none" } })).rejects.toThrow(
      "the key and the certificate for TLS cannot be used",
    );
  });
});

test("the key and the certificate come from files, and one needs the other", () => {
  const folder = mkdtempSync("/tmp/ksh-tls-");
  const [certFile, keyFile] = [`${folder}/tls.crt`, `${folder}/tls.key`];
  writeFileSync(certFile, certificate);
  writeFileSync(keyFile, key);
  const dirs = { KINDLING_SHUFFLE_LOCAL_DIRS: "/tmp" };
  const [certVariable, keyVariable] = ["KINDLING_SHUFFLE_TLS_CERT_FILE", "KINDLING_SHUFFLE_TLS_KEY_FILE"];
  expect(readSettings(dirs).tls).toBeUndefined();
  expect(readSettings({ ...dirs, [certVariable]: certFile, [keyVariable]: keyFile }).tls).toEqual({ certificate, key });
  expect(() => readSettings({ ...dirs, [certVariable]: certFile })).toThrow(`${keyVariable} is needed`);
  expect(() => readSettings({ ...dirs, [keyVariable]: keyFile })).toThrow(`${certVariable} is needed`);
  rmSync(folder, { recursive: true });
});
