import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { loadClusterAccess, resources, type ClusterAccess } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { testAuthority } from "@kindling/test-kit/certificates";
import { ManualClock, type Clock } from "@kindling/outside";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { startStub } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

const V1 = "client.authentication.k8s.io/v1";
const V1BETA1 = "client.authentication.k8s.io/v1beta1";

/** A plug-in that counts its runs in a file and prints an ExecCredential with that number in the token. */
function countingPlugin(folder: ScratchFolder, status = "{ token: `token-${runs}` }", apiVersion = V1): string {
  const count = join(folder.path, "runs");
  return folder.writeCommand(
    "bin/plugin",
    `const { appendFileSync, readFileSync } = require("node:fs");
     appendFileSync(${JSON.stringify(count)}, "x");
     const runs = readFileSync(${JSON.stringify(count)}, "utf8").length;
     console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential", status: ${status} }));`,
  );
}

interface Options {
  readonly exec: Record<string, unknown>;
  readonly server?: string;
  readonly cluster?: Record<string, unknown>;
  readonly clock?: Clock;
  readonly env?: Record<string, string>;
}

function load(folder: ScratchFolder, options: Options): Promise<ClusterAccess> {
  const config = {
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: options.server ?? "https://api.example.com", ...options.cluster } }],
    contexts: [{ name: "c", context: { cluster: "c", user: "ann" } }],
    users: [{ name: "ann", user: { exec: { apiVersion: V1, interactiveMode: "Never", ...options.exec } } }],
  };
  const kubeconfigPath = folder.write("config", JSON.stringify(config));
  return loadClusterAccess({
    env: { PATH: process.env["PATH"], ...options.env },
    kubeconfigPath,
    ...(options.clock !== undefined && { clock: options.clock }),
  });
}

describe("an exec plug-in", () => {
  test.each([V1, V1BETA1])("of %s gives a token, which is kept", async (apiVersion) => {
    const folder = scratchFolder();
    const command = countingPlugin(folder, "{ token: `token-${runs}` }", apiVersion);
    const access = await load(folder, { exec: { command, apiVersion } });
    const [first, second] = await Promise.all([access.credentials.current(), access.credentials.current()]);
    expect(first).toEqual({ authorization: "Bearer token-1" });
    expect(second).toBe(first);
    expect(await access.credentials.current()).toBe(first);
  });

  test("gives a client certificate", async () => {
    const folder = scratchFolder();
    const authority = testAuthority("authority");
    const user = authority.issue("ann");
    const status = JSON.stringify({ clientCertificateData: user.cert, clientKeyData: user.key });
    let subject: unknown;
    const stub = await startStub(
      (request, response) => {
        subject = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
        asAsked(request, response);
      },
      { ...authority.issue("server"), ca: authority.cert, requestCert: true },
    );
    const cluster = { "certificate-authority-data": Buffer.from(authority.cert).toString("base64") };
    const access = await load(folder, { exec: { command: countingPlugin(folder, status) }, server: stub.url, cluster });
    await testClient(access).get(resources.pods, "p");
    expect(subject).toBe("ann");
  });

  test("runs again when its credentials expire", async () => {
    const folder = scratchFolder();
    const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
    const command = countingPlugin(folder, "{ token: `token-${runs}`, expirationTimestamp: '2026-01-01T01:00:00Z' }");
    const access = await load(folder, { exec: { command }, clock });
    await access.credentials.current();
    clock.advanceAtOnce(59 * 60_000);
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer token-1" });
    clock.advanceAtOnce(2 * 60_000);
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer token-2" });
  });

  test("runs again, once, when the server refuses its credentials", async () => {
    const folder = scratchFolder();
    const stub = await startStub((request, response) => {
      if (request.headers.authorization === "Bearer token-2") asAsked(request, response);
      else sendStatus(response, 401, "Unauthorized");
    });
    const access = await load(folder, { exec: { command: countingPlugin(folder) }, server: stub.url });
    const client = testClient(access);
    await client.create(resources.pods, { metadata: { name: "p" } });
    await client.get(resources.pods, "p");
    expect(stub.requests.map((request) => request.headers.authorization)).toEqual([
      "Bearer token-1",
      "Bearer token-2",
      "Bearer token-2",
    ]);
  });

  test("whose fresh credentials are refused, too, is not asked for ever", async () => {
    const folder = scratchFolder();
    const stub = await startStub((_request, response) => sendStatus(response, 401, "Unauthorized"));
    const access = await load(folder, { exec: { command: countingPlugin(folder) }, server: stub.url });
    const error = await caught(testClient(access).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "status", status: 401, attempts: 2 });
    expect(error.hint).toContain('user "ann"');
    expect(readFileSync(join(folder.path, "runs"), "utf8")).toBe("xx");
  });

  test("is told of the cluster, if it wants to know, and of its own variables and arguments", async () => {
    const folder = scratchFolder();
    const command = folder.writeCommand(
      "plugin",
      `const token = JSON.stringify([process.env.KUBERNETES_EXEC_INFO, process.env.MINE, process.env.OURS, process.argv.slice(2)]);
       console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: { token } }));`,
    );
    const access = await load(folder, {
      exec: {
        command,
        args: ["get-token", "--region=x"],
        env: [{ name: "MINE", value: "1" }],
        provideClusterInfo: true,
      },
      env: { OURS: "2" },
      cluster: {
        "certificate-authority-data": Buffer.from("CA").toString("base64"),
        "tls-server-name": "kubernetes",
        extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
      },
    });
    const { authorization = "" } = await access.credentials.current();
    const [info, mine, ours, args] = JSON.parse(authorization.slice("Bearer ".length)) as [
      string,
      string,
      string,
      string[],
    ];
    expect([mine, ours, args]).toEqual(["1", "2", ["get-token", "--region=x"]]);
    expect(JSON.parse(info)).toEqual({
      apiVersion: V1,
      kind: "ExecCredential",
      spec: {
        interactive: false,
        cluster: {
          server: "https://api.example.com",
          "tls-server-name": "kubernetes",
          "certificate-authority-data": Buffer.from("CA").toString("base64"),
          config: { audience: "a" },
        },
      },
    });
  });

  test("is not told of the cluster otherwise", async () => {
    const folder = scratchFolder();
    const status = "{ token: process.env.KUBERNETES_EXEC_INFO }";
    const access = await load(folder, { exec: { command: countingPlugin(folder, status) } });
    const { authorization = "" } = await access.credentials.current();
    expect(JSON.parse(authorization.slice(7))).toMatchObject({ spec: { interactive: false } });
    expect(authorization).not.toContain("api.example.com");
  });

  test("may be named by a path from the kubeconfig's folder", async () => {
    const folder = scratchFolder();
    countingPlugin(folder);
    const access = await load(folder, { exec: { command: "./bin/plugin" } });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer token-1" });
  });
});

describe("an exec plug-in at fault", () => {
  test("that is not there: the kubeconfig's own hint is shown", async () => {
    const folder = scratchFolder();
    const exec = { command: "no-such-plugin", installHint: "Get it from\n  https://example.com\n" };
    const access = await load(folder, { exec });
    const error = await caught(Promise.resolve(access.credentials.current()));
    expect(error.kind).toBe("credentials");
    expect(error.message).toContain('user "ann"');
    expect(error.message).toContain("(exec plug-in no-such-plugin): there is no such command");
    expect(error.hint).toBe("Get it from https://example.com");
  });

  test.each([
    [
      "fails",
      "console.error('please log in\\n first'); process.exit(3)",
      "ended with exit code 3: please log in first",
    ],
    ["is killed", "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60000)", "was ended by SIGTERM"],
    ["prints no JSON", "console.log('secret')", "printed something that is not an ExecCredential in JSON"],
    ["prints something else", "console.log('{}')", "printed an object that is not an ExecCredential"],
    [
      "prints another version",
      `console.log(JSON.stringify({ apiVersion: "${V1BETA1}", kind: "ExecCredential", status: { token: "secret" } }))`,
      `printed apiVersion ${V1BETA1}, and the kubeconfig asks for ${V1}`,
    ],
    [
      "prints nothing of use",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: {} }))`,
      "printed neither a token nor a client certificate",
    ],
    [
      "prints half a certificate",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: { clientKeyData: "secret" } }))`,
      "printed a client certificate without its key, or the reverse",
    ],
    [
      "prints a time that is none",
      `console.log(JSON.stringify({ apiVersion: "${V1}", kind: "ExecCredential", status: { token: "secret", expirationTimestamp: "soon" } }))`,
      "printed an expirationTimestamp that is not a time",
    ],
    ["never stops printing", "for (;;) require('node:fs').writeSync(1, 'secret'.repeat(1000))", "was ended by SIGTERM"],
  ])("that %s", async (_what, program, words) => {
    const folder = scratchFolder();
    const access = await load(folder, { exec: { command: folder.writeCommand("plugin", program) } });
    const error = await caught(Promise.resolve(access.credentials.current()));
    expect(error.kind).toBe("credentials");
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("secret");
  });

  test("that wants a terminal where there is none", async () => {
    const folder = scratchFolder();
    const exec = { command: countingPlugin(folder), interactiveMode: "Always" };
    const error = await caught(Promise.resolve((await load(folder, { exec })).credentials.current()));
    expect(error.message).toContain("asks for input, and there is no terminal");
  });

  test("is tried again at the next request", async () => {
    const folder = scratchFolder();
    const status = "runs === 1 ? {} : { token: `token-${runs}` }";
    const access = await load(folder, { exec: { command: countingPlugin(folder, status) } });
    await caught(Promise.resolve(access.credentials.current()));
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer token-2" });
  });

  test.each([
    [{}, "exec names no command"],
    [
      { command: "x", apiVersion: "client.authentication.k8s.io/v1alpha1" },
      "exec has the apiVersion client.authentication.k8s.io/v1alpha1",
    ],
    [{ command: "x", interactiveMode: "Sometimes" }, "exec has the interactiveMode Sometimes"],
    [{ command: "x", args: "not a list" }, "args must be a list of texts"],
  ])("in the kubeconfig: %j", async (exec, words) => {
    const error = await caught(load(scratchFolder(), { exec }));
    expect(error.kind).toBe("config");
    expect(error.message).toContain(words);
  });
});
