import { describe, expect, test } from "vitest";
import { testAuthority, type TestAuthority } from "@kindling/test-kit/certificates";
import { hostileServer, type HostileServer } from "../fixtures/hostile-server.ts";
import type { Finished } from "../fixtures/kindling-process.ts";
import { someRounds } from "@kindling/test-kit/rounds";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { clusterOfUser, COMMANDS, OWN_TOKEN, runStaging, tokenRequests } from "../fixtures/staging-commands.ts";

const STAGING_TOKEN = "token-for-another-staging-server-k8Zw3";

function expectNothingShown(server: HostileServer, { stdout, stderr }: Finished): void {
  expect(server.shown).toEqual([]);
  const everything = server.requests.map((request) => JSON.stringify(request)).join("\n") + stdout + stderr;
  for (const secret of [OWN_TOKEN, STAGING_TOKEN]) expect(everything).not.toContain(secret);
}

describe("hostile staging server", () => {
  describe("that wants a token of the cluster, over plain HTTP", () => {
    test.each(Object.entries(COMMANDS))("gets no Authorization at all by %s", async (_, words) => {
      const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
      const ended = await runStaging(words, { cluster, uri: server.elsewhere });
      expectNothingShown(server, ended);
      expect(server.requests.map(({ line }) => line)).toEqual(["GET /api/v1/capabilities"]);
      expect(tokenRequests(cluster)).toEqual([]);
      expect(ended.code).toBe(1);
      const said = ended.stdout + ended.stderr;
      expect(said).toContain(`a token is not sent to ${server.elsewhere} over plain HTTP, where others can read it\n`);
      expect(said).toContain(`use an https URI, or set spark.kindling.staging.allowInsecure=${server.elsewhere}\n`);
    });

    test.each([
      ["another port", "http://0.0.0.0:1/"],
      ["another path", "PATH/elsewhere"],
      ["a URI of https", "https://0.0.0.0/"],
      ["everything", "true"],
      ["a wildcard", "http://*/"],
    ])("gets none where %s is allowed", async (_, allowed) => {
      const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
      const keys = { "spark.kindling.staging.allowInsecure": allowed.replace("PATH/", server.elsewhere) };
      const ended = await runStaging(["staging", "ls"], { cluster, uri: server.elsewhere, keys });
      expectNothingShown(server, ended);
      expect(tokenRequests(cluster)).toEqual([]);
      expect(ended.stderr).toContain("spark.kindling.staging.allowInsecure");
    });

    test("gets a token for staging alone where that very URI is allowed", async () => {
      const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
      const keys = { "spark.kindling.staging.allowInsecure": `http://other.example, ${server.elsewhere}` };
      await runStaging(["staging", "ls"], { cluster, uri: server.elsewhere, keys });
      expect(tokenRequests(cluster)).toEqual(["kindling-submitter for kindling-staging"]);
      expect(server.shown).toHaveLength(1);
      expect(server.shown.join()).not.toContain(OWN_TOKEN);
    });
  });

  test.each([
    ["KINDLING_STAGING_TOKEN", { env: { KINDLING_STAGING_TOKEN: STAGING_TOKEN } }],
    ["spark.kindling.staging.tokenFile", {}],
  ])("is not even asked over plain HTTP where there is a token in %s", async (name, given) => {
    const [server, cluster] = await Promise.all([
      hostileServer(undefined, { authentication: "none" }),
      clusterOfUser(),
    ]);
    const keys = name.startsWith("spark.") ? { [name]: scratchFolder().write("token", `${STAGING_TOKEN}\n`) } : {};
    for (const words of Object.values(COMMANDS)) {
      const ended = await runStaging(words, { cluster, uri: server.elsewhere, keys, ...given });
      expectNothingShown(server, ended);
      expect(ended.stdout + ended.stderr).toContain(`set spark.kindling.staging.allowInsecure=${server.elsewhere}\n`);
    }
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["a token", { token: OWN_TOKEN }],
    ["a password", { username: "alice", password: OWN_TOKEN }],
    ["nothing", {}],
  ])("gets a token of the account for staging, whatever the kubeconfig has: %s", async (_, user) => {
    const [server, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
    const keys = { "spark.kubernetes.authenticate.driver.serviceAccountName": "spark" };
    for (const words of [["submit"], ["staging", "ls"]])
      await runStaging(words, { cluster, uri: server.url, user, keys });
    expect(tokenRequests(cluster)).toEqual([
      "kindling-submitter for kindling-staging",
      "kindling-submitter for kindling-staging",
    ]);
    for (const shown of server.shown) {
      const [, payload = ""] = shown.split(".");
      const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
      expect(claims).toMatchObject({
        aud: ["kindling-staging"],
        sub: "system:serviceaccount:spark-jobs:kindling-submitter",
      });
    }
    expect(server.shown.length).toBeGreaterThan(1);
    expect(server.shown.join()).not.toContain(OWN_TOKEN);
  });

  test("gets no token of the driver's account with a client certificate", async () => {
    const authority = testAuthority("authority");
    const { cert, key } = authority.issue("api");
    const [server, cluster] = await Promise.all([
      hostileServer(),
      clusterOfUser({ cert, key, ca: authority.cert, requestCert: true }),
    ]);
    const alice = authority.issue("alice");
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const user = { "client-certificate-data": base64(alice.cert), "client-key-data": base64(alice.key) };
    const keys = {
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      "spark.kubernetes.authenticate.submission.caCertFile": scratchFolder().write("ca.crt", authority.cert),
    };
    for (const words of [["submit"], ["staging", "ls"]])
      await runStaging(words, { cluster, uri: server.url, user, keys });
    expect(new Set(tokenRequests(cluster))).toEqual(new Set(["kindling-submitter for kindling-staging"]));
  });

  describe.each(someRounds("redirects", [301, 302, 303, 307, 308], 1 / 3))("that redirects with %i", (status) => {
    const authority: TestAuthority = testAuthority("authority");
    const tls = authority.issue("staging");

    test.each([
      ["to another server", (other: HostileServer) => other.url],
      ["to itself without TLS", (_: HostileServer, own: string) => own.replace("https:", "http:")],
      ["to another path", (_: HostileServer, own: string) => new URL("/elsewhere", own).href],
    ])("%s: nothing goes there", async (_, target) => {
      const [other, cluster] = await Promise.all([hostileServer(), clusterOfUser()]);
      const server: HostileServer = await hostileServer(
        ({ line }, response) => {
          if (line.endsWith("/capabilities")) return false;
          response.writeHead(status, { location: target(other, server.url) }).end();
          return true;
        },
        { tls },
      );
      const keys = { "spark.kindling.staging.caFile": scratchFolder().write("ca.pem", authority.cert) };
      for (const words of [["submit"], ["staging", "ls"]]) {
        const { stderr, code } = await runStaging(words, { cluster, uri: server.url, keys });
        expect(code).toBe(1);
        expect(stderr).toMatch(/redirects to \S+, which is not followed/);
      }
      expect(other.requests).toEqual([]);
      expect(server.requests.filter(({ line }) => line.includes("/elsewhere"))).toEqual([]);
    });
  });

  test.each([
    ["in its refusal", 403, (shown: string) => ({ type: "x", status: 403, title: "no", detail: `not with ${shown}` })],
    ["in part", 403, (shown: string) => ({ type: "x", status: 403, title: "no", detail: shown.slice(0, 200) })],
    ["as the name of who asks", 200, (shown: string) => ({ subject: shown, allowed: false, reason: shown })],
    ["as a document that is none", 200, (shown: string) => shown],
    ["as a bundle", 201, (shown: string) => ({ leaseId: shown, bundleId: shown, secret: shown, missing: [] })],
  ])("that shows the request %s makes nobody print the token", async (_, status, document) => {
    const server = await hostileServer(({ line, headers }, response) => {
      if (line.endsWith("/capabilities")) return false;
      const shown = document(headers.authorization ?? "");
      response.writeHead(status).end(typeof shown === "string" ? shown : JSON.stringify(shown));
      return true;
    });
    const cluster = await clusterOfUser();
    for (const words of Object.values(COMMANDS)) {
      const { stdout, stderr } = await runStaging(words, { cluster, uri: server.url });
      for (const shown of server.shown) {
        for (const part of shown.replace("Bearer ", "").match(/.{16}/g) ?? [])
          expect(stdout + stderr).not.toContain(part);
      }
    }
    expect(server.shown.length).toBeGreaterThan(4);
    const objects = cluster.api.requests.filter(({ path }) => !path.endsWith("/token"));
    for (const shown of server.shown) expect(JSON.stringify(objects)).not.toContain(shown.slice(7));
  });

  test("is asked directly, whatever proxies the environment names", async () => {
    const [server, proxy, cluster] = await Promise.all([hostileServer(), hostileServer(), clusterOfUser()]);
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NODE_USE_ENV_PROXY: "1" };
    await runStaging(["staging", "ls"], { cluster, uri: server.url, env });
    expect(server.shown).toHaveLength(1);
    expect(proxy.requests).toEqual([]);
  });

  test("that refuses every token makes nobody ask for more than one", async () => {
    const server = await hostileServer(({ line }, response) => {
      if (line.endsWith("/capabilities")) return false;
      response.writeHead(401).end();
      return true;
    });
    const cluster = await clusterOfUser();
    const { code } = await runStaging(["staging", "ls"], { cluster, uri: server.url });
    expect(code).toBe(1);
    expect(tokenRequests(cluster)).toHaveLength(1);
    expect(server.shown).toHaveLength(1);
  });
});
