import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { httpCall } from "./support/http-call.ts";
import { testAuthority, type Certificate } from "@kindling/test-kit/certificates";
import { testServer, type TestServer } from "./support/test-server.ts";

const authority = testAuthority("authority");

async function tlsServer({
  cert,
  key,
}: Certificate): Promise<{ server: TestServer; replace(next: Certificate): Promise<void> }> {
  const folder = scratchFolder().path;
  const write = async (name: string, text: string): Promise<string> => {
    // Replaces the file at once, as Kubernetes does with the files of a Secret.
    await writeFile(join(folder, `.${name}`), text);
    await rename(join(folder, `.${name}`), join(folder, name));
    return join(folder, name);
  };
  const server = await testServer({
    "tls.certFile": await write("tls.crt", cert),
    "tls.keyFile": await write("tls.key", key),
    "tls.reloadInterval": 0.05,
  });
  return {
    server,
    async replace(next) {
      await write("tls.crt", next.cert);
      await write("tls.key", next.key);
    },
  };
}

function client(server: TestServer) {
  return server.client({ tls: { ca: authority.cert }, retry: { attempts: 3, baseMs: 1 } });
}

it("speaks TLS only, once it has a certificate", async () => {
  const { server } = await tlsServer(authority.issue("staging"));
  expect(server.uri).toMatch(/^https:/);
  expect(await client(server).capabilities()).toMatchObject({ versions: ["v0", "v1"] });
  await expect(httpCall(server.uri.replace("https:", "http:"))).rejects.toThrow(/socket hang up|ECONNRESET/);
});

it.each([
  ["has expired", { expired: true }],
  ["is for another host", { names: ["other.example"] }],
])("is not spoken with when its certificate %s, and is not tried again", async (_why, options) => {
  const { server } = await tlsServer(authority.issue("staging", options));
  const retries = vi.fn<() => void>();
  const calls = server.client({ tls: { ca: authority.cert }, onRetry: retries });
  await expect(calls.capabilities()).rejects.toMatchObject({ fault: "tls", retryable: false });
  expect(retries).not.toHaveBeenCalled();
});

it("is not spoken with when nobody trusted has signed its certificate", async () => {
  const { server } = await tlsServer(testAuthority("strangers").issue("staging"));
  await expect(client(server).capabilities()).rejects.toMatchObject({ fault: "tls" });
});

it("takes a new certificate without a restart, and keeps the old one if the new one is broken", async () => {
  const tls = await tlsServer(authority.issue("staging", { expired: true }));
  const { server } = tls;
  await tls.replace({ cert: "-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n", key: "none" });
  await eventually(() => expect(server.logLines.join("")).toContain("changed files cannot be used"));
  await tls.replace(authority.issue("staging"));
  await eventually(async () => expect(await client(server).capabilities()).toMatchObject({ versions: ["v0", "v1"] }));
});

it("does not start with a key that is not the certificate's", async () => {
  const folder = scratchFolder().path;
  await writeFile(join(folder, "cert"), authority.issue("a").cert);
  await writeFile(join(folder, "key"), authority.issue("b").key);
  const settings = { "tls.certFile": join(folder, "cert"), "tls.keyFile": join(folder, "key") };
  await expect(testServer(settings)).rejects.toMatchObject({ code: "FILE_UNPARSABLE" });
  await expect(testServer({ ...settings, "tls.keyFile": join(folder, "none") })).rejects.toMatchObject({
    code: "FILE_UNREADABLE",
  });
});
