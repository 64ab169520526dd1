import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bareEnv, kindling } from "../fixtures/kindling-process.ts";
import { NAMESPACE, conf, submitArguments } from "../fixtures/submission.ts";
import { canary, NOWHERE, wire, type Wire } from "../fixtures/wire.ts";

// Each test starts a cluster, a staging server and a process or two.
vi.setConfig({ testTimeout: 60_000 });

const TOKEN = canary("api-token");

describe("what proves the submitter to the API server", () => {
  test.each<[string, (scene: Wire) => Parameters<Wire["submit"]>[0]]>([
    ["a token", () => ({ user: { token: TOKEN } })],
    ["a token file", ({ folder }) => ({ user: { tokenFile: folder.write("token", TOKEN) } })],
    ["a password", () => ({ user: { username: "alice", password: TOKEN } })],
    [
      "a plug-in",
      ({ folder }) => {
        const status = JSON.stringify({ token: TOKEN });
        const answer = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}`;
        const command = folder.writeScript("plug-in", `echo "$0 $*" >> ${folder.path}/argv\necho '${answer}'`);
        const exec = { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" };
        return { user: { exec } };
      },
    ],
    ["oauthToken", () => ({ keys: { "spark.kubernetes.authenticate.submission.oauthToken": TOKEN } })],
    [
      "oauthTokenFile",
      ({ folder }) => ({
        keys: { "spark.kubernetes.authenticate.submission.oauthTokenFile": folder.write("oauth", TOKEN) },
      }),
    ],
  ])("C1: %s goes to the API server and nowhere else", async (_, options) => {
    const scene = await wire({ adminToken: TOKEN });
    const ended = await scene.submit(options(scene));
    expect(ended.code, ended.stderr).toBe(0);
    expect(await scene.places({ TOKEN })).toEqual({ TOKEN: ["API server"] });
  });

  test("C1: in a pod, its service account's token goes to the API server and nowhere else", async () => {
    const scene = await wire({ adminToken: TOKEN });
    const { hostname, port } = new URL(scene.api.url);
    const serviceAccountDir = scene.folder.mkdir("account");
    for (const [name, text] of Object.entries({ token: TOKEN, "ca.crt": scene.authority.cert, namespace: NAMESPACE }))
      scene.folder.write(`account/${name}`, text);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const access = await loadClusterAccess({ env, homeDir: "/nonexistent", serviceAccountDir });
    expect(access.origin).toBe("in-cluster");
    const client = createKubeClient(access);
    onTestFinished(() => client.close());
    const keys = {
      "spark.kubernetes.namespace": NAMESPACE,
      "spark.kubernetes.container.image": "spark:4.3.0",
      "spark.kindling.localizer.image": "localizer:1",
      "spark.kindling.staging.uri": scene.staging.url,
      "spark.kindling.staging.caFile": scene.folder.write("ca.pem", scene.authority.cert),
    };
    await submitArguments([...conf(keys), "app.py"], { client, wait: false, env: bareEnv(), cwd: scene.folder.path });
    expect(await scene.places({ TOKEN })).toEqual({ TOKEN: ["API server"] });
  });

  test("C2: keys of client certificates stay on this machine", async () => {
    const scene = await wire();
    const [alice, uploader] = [scene.authority.issue("alice"), scene.authority.issue("uploader")];
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const ended = await scene.submit({
      user: { "client-certificate-data": base64(alice.cert), "client-key-data": base64(alice.key) },
      keys: {
        "spark.kindling.staging.clientCertFile": scene.folder.write("uploader.pem", uploader.cert),
        "spark.kindling.staging.clientKeyFile": scene.folder.write("uploader.key", uploader.key),
      },
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect([[...scene.api.certificates], [...scene.staging.certificates]]).toEqual([["alice"], ["uploader"]]);
    const secretLine = (pem: string): string => pem.split("\n")[1] ?? "";
    const keys = { alice: secretLine(alice.key), uploader: secretLine(uploader.key) };
    expect(await scene.places(keys)).toEqual({ alice: NOWHERE, uploader: NOWHERE });
  });

  test("C3: a proxy gets its own password, and sees nothing of what goes through it", async () => {
    const scene = await wire({ adminToken: TOKEN });
    const seen: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      seen.push(JSON.stringify([request.url, request.headers]));
      const target = new URL(`http://${request.url ?? ""}`);
      const upstream = connect(Number(target.port), target.hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.on("data", (chunk: Buffer) => seen.push(chunk.toString("latin1")));
        socket.pipe(upstream).pipe(socket);
      });
      for (const one of [socket, upstream]) one.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const password = canary("proxy");
    const { port } = proxy.address() as AddressInfo;
    const ended = await scene.submit({
      user: { token: TOKEN },
      proxy: `http://me:${password}@127.0.0.1:${port}`,
    });
    expect(ended.code, ended.stderr).toBe(0);
    expect(await scene.places({ password, TOKEN })).toEqual({ password: NOWHERE, TOKEN: ["API server"] });
    expect(seen[0]).toContain(Buffer.from(`me:${password}`).toString("base64"));
    expect(seen.join("")).not.toContain(TOKEN);
    // The staging server is reached directly.
    expect(seen.join("")).not.toContain(new URL(scene.staging.url).host);
  });
});

describe("what proves the submitter to the staging server", () => {
  test("C4: the token of kindling-submitter goes there, for ten minutes, for that audience and for one command", async () => {
    const scene = await wire();
    const ended = await scene.submit();
    expect(ended.code, ended.stderr).toBe(0);
    const tokens = new Set(scene.staging.received().match(/(?<=Bearer )[\w-]+\.[\w-]+\.[\w-]+/g));
    expect(tokens.size).toBe(1);
    const [token = ""] = tokens;
    // The server sends it to the API server to learn who it belongs to.
    expect(await scene.places({ token })).toEqual({
      token: ["staging server", "API server, from the staging server"],
    });
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, number>;
    expect(claims).toMatchObject({
      aud: ["kindling-staging"],
      sub: `system:serviceaccount:${NAMESPACE}:kindling-submitter`,
    });
    expect((claims["exp"] ?? 0) - (claims["iat"] ?? 0)).toBe(600);
    await scene.submit();
    expect(new Set(scene.staging.received().match(/(?<=Bearer )[\w-]+\.[\w-]+\.[\w-]+/g)).size).toBe(2);
  });

  test("C4, C21: the API server is asked for a token of that account alone, never of the driver's", async () => {
    const scene = await wire();
    const metadata = { name: "spark" };
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata };
    await scene.client.create(resources.serviceaccounts, account, { namespace: NAMESPACE });
    const ended = await scene.submit({ keys: { "spark.kubernetes.authenticate.driver.serviceAccountName": "spark" } });
    expect(ended.code, ended.stderr).toBe(0);
    expect(scene.api.received().match(/POST \S*serviceaccounts\S*/g)).toEqual([
      `POST /api/v1/namespaces/${NAMESPACE}/serviceaccounts/kindling-submitter/token`,
    ]);
  });

  test.each<[string, (scene: Wire, token: string) => Parameters<Wire["submit"]>[0]]>([
    ["KINDLING_STAGING_TOKEN", (_, token) => ({ env: { KINDLING_STAGING_TOKEN: token } })],
    [
      "spark.kindling.staging.tokenFile",
      ({ folder }, token) => ({ keys: { "spark.kindling.staging.tokenFile": folder.write("staging-token", token) } }),
    ],
  ])("C5: the token of %s goes to the staging server and nowhere else", async (_, options) => {
    const token = canary("staging-token");
    const tokenSha256 = createHash("sha256").update(token).digest("hex");
    const access = JSON.stringify({ subjects: [{ name: "ci", tokenSha256, namespaces: ["*"] }] });
    const { folder } = await wire();
    const scene = await wire({
      settings: { "auth-mode": "token", "auth-access-file": folder.write("access.json", access) },
    });
    const ended = await scene.submit(options(scene, token));
    expect(ended.code, ended.stderr).toBe(0);
    expect(await scene.places({ token })).toEqual({ token: ["staging server"] });
  });
});

test("C1, C4: kindling staging shows the same credentials as a submission", async () => {
  const scene = await wire({ adminToken: TOKEN });
  const env = { KUBECONFIG: scene.kubeconfig({ token: TOKEN }) };
  const ca = scene.folder.write("ca.pem", scene.authority.cert);
  const args = ["staging", "ls", "-n", NAMESPACE, "--server", scene.staging.url, "--ca-file", ca, "--verbose"];
  const { code, stdout, stderr } = await kindling(args, { env });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toContain(TOKEN);
  expect(await scene.places({ TOKEN })).toEqual({ TOKEN: ["API server"] });
});
