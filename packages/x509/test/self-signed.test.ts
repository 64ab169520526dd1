import { connect, createServer } from "node:tls";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { systemClock, systemRandom } from "@kindling/outside";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned, type Certificate } from "../src/index.ts";

const made = (): Certificate => selfSigned(systemClock, systemRandom(), "spark", 30);

/** The result of a handshake over TLS 1.3 with a server that has the first certificate, by a client that trusts the second. */
async function handshake(server: Certificate, trusted: Certificate): Promise<string> {
  const listening = createServer({ cert: server.certificate, key: server.key, minVersion: "TLSv1.3" }, (socket) =>
    socket.end(),
  );
  onTestFinished(() => void listening.close());
  // The server sees a client that goes away in the middle of the handshake.
  listening.on("tlsClientError", () => {});
  await once(listening.listen(0, "127.0.0.1"), "listening");
  const { port } = listening.address() as AddressInfo;
  const client = connect({ host: "127.0.0.1", port, ca: trusted.certificate, servername: "spark" });
  onTestFinished(() => void client.destroy());
  return new Promise((resolve) => {
    client.once("secureConnect", () => resolve(client.getProtocol() ?? ""));
    client.once("error", (error) => resolve(error.message));
  });
}

test("is accepted by a peer that trusts exactly this certificate", async () => {
  const own = made();
  expect(await handshake(own, own)).toBe("TLSv1.3");
});

test("is not accepted by a peer that trusts another one of the same name", async () => {
  expect(await handshake(made(), made())).toMatch(/self.signed certificate|unable to verify/);
});

test("is valid for the days that were asked for, and cannot sign others", () => {
  const { validFrom, validTo, ca, serialNumber } = new X509Certificate(made().certificate);
  expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(31 * 24 * 3600 * 1000);
  expect(ca).toBe(false);
  expect(serialNumber).not.toBe(new X509Certificate(made().certificate).serialNumber);
});
