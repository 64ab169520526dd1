import { describe, expect, test } from "vitest";
import { testAuthority, type TestAuthority } from "../../../staging-server/test/support/certificates.ts";
import { hostileServer, type HostileServer } from "../fixtures/hostile-server.ts";
import { kindling, kubeconfigFor, type Finished } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "../fixtures/scratch-folder.ts";
import { serviceAccountToken } from "../../../../tools/testing/service-account-token.ts";
import { StubCluster } from "../fixtures/stub-cluster.ts";
import { conf } from "../fixtures/submission.ts";

const OWN_TOKEN = "kubeconfig-token-of-the-user-h2Xq7";
const STAGING_TOKEN = "token-for-another-staging-server-k8Zw3";

/** Every command that speaks with a staging server. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  submit: ["submit"],
  "submit --check": ["submit", "--check"],
  "staging ls": ["staging", "ls"],
  "staging rm": ["staging", "rm", "bundle-1"],
  "staging stat": ["staging", "stat"],
  "staging gc": ["staging", "gc"],
};

interface Run {
  readonly cluster: StubCluster;
  readonly uri: string;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly keys?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command that is told to stage files at a URI. */
function run(
  words: readonly string[],
  { cluster, uri, user = { token: OWN_TOKEN }, keys, env }: Run,
): Promise<Finished> {
  const folder = scratchFolder({ "app.py": "print(1)" });
  const isSubmission = words[0] === "submit";
  const flags = conf({
    ...(isSubmission && { "spark.kubernetes.container.image": "spark:4.3.0" }),
    "spark.kubernetes.namespace": "spark-jobs",
    "spark.kindling.staging.uri": uri,
    "spark.kindling.localizer.image": "localizer:1",
    ...keys,
  });
  const args = [...words, "--verbose", ...flags, ...(isSubmission ? ["app.py"] : [])];
  return kindling(args, { env: { KUBECONFIG: kubeconfigFor(cluster, user), ...env }, cwd: folder.path });
}

/** Tells which tokens the API server was asked for, as `account for audiences`. */
function tokenRequests(cluster: StubCluster): string[] {
  return cluster.requests
    .filter(({ path }) => path.endsWith("/token"))
    .map(({ path, body }) => {
      const { spec } = body as { spec: { audiences?: readonly string[] } };
      return `${path.split("/").at(-2) ?? ""} for ${spec.audiences?.join(", ") ?? "the API server"}`;
    });
}

function expectNothingShown(server: HostileServer, { stdout, stderr }: Finished): void {
  expect(server.shown).toEqual([]);
  const everything = server.requests.map((request) => JSON.stringify(request)).join("\n") + stdout + stderr;
  for (const secret of [OWN_TOKEN, STAGING_TOKEN]) expect(everything).not.toContain(secret);
}

describe("hostile staging server", () => {
  describe("that wants a token of the cluster, over plain HTTP", () => {
    test.each(Object.entries(COMMANDS))("gets no Authorization at all by %s", async (_, words) => {
      const [server, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
      const ended = await run(words, { cluster, uri: server.elsewhere });
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
      const [server, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
      const keys = { "spark.kindling.staging.allowInsecure": allowed.replace("PATH/", server.elsewhere) };
      const ended = await run(["staging", "ls"], { cluster, uri: server.elsewhere, keys });
      expectNothingShown(server, ended);
      expect(tokenRequests(cluster)).toEqual([]);
      expect(ended.stderr).toContain("spark.kindling.staging.allowInsecure");
    });

    test("gets a token for staging alone where that very URI is allowed", async () => {
      const [server, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
      const keys = { "spark.kindling.staging.allowInsecure": `http://other.example, ${server.elsewhere}` };
      await run(["staging", "ls"], { cluster, uri: server.elsewhere, keys });
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
      StubCluster.start(),
    ]);
    const keys = name.startsWith("spark.") ? { [name]: scratchFolder().write("token", `${STAGING_TOKEN}\n`) } : {};
    for (const words of Object.values(COMMANDS)) {
      const ended = await run(words, { cluster, uri: server.elsewhere, keys, ...given });
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
    const [server, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
    const keys = { "spark.kubernetes.authenticate.driver.serviceAccountName": "spark" };
    for (const words of [["submit"], ["staging", "ls"]]) await run(words, { cluster, uri: server.url, user, keys });
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
      StubCluster.start({ cert, key, ca: authority.cert, requestCert: true }),
    ]);
    const alice = authority.issue("alice");
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const user = { "client-certificate-data": base64(alice.cert), "client-key-data": base64(alice.key) };
    const keys = {
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      "spark.kubernetes.authenticate.submission.caCertFile": scratchFolder().write("ca.crt", authority.cert),
    };
    for (const words of [["submit"], ["staging", "ls"]]) await run(words, { cluster, uri: server.url, user, keys });
    expect(new Set(tokenRequests(cluster))).toEqual(new Set(["kindling-submitter for kindling-staging"]));
  });

  describe.each([301, 302, 303, 307, 308])("that redirects with %i", (status) => {
    const authority: TestAuthority = testAuthority("authority");
    const tls = authority.issue("staging");

    test.each([
      ["to another server", (other: HostileServer) => other.url],
      ["to itself without TLS", (_: HostileServer, own: string) => own.replace("https:", "http:")],
      ["to another path", (_: HostileServer, own: string) => new URL("/elsewhere", own).href],
    ])("%s: nothing goes there", async (_, target) => {
      const [other, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
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
        const { stderr, code } = await run(words, { cluster, uri: server.url, keys });
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
    const cluster = await StubCluster.start();
    for (const words of Object.values(COMMANDS)) {
      const { stdout, stderr } = await run(words, { cluster, uri: server.url });
      for (const shown of server.shown) {
        for (const part of shown.replace("Bearer ", "").match(/.{16}/g) ?? [])
          expect(stdout + stderr).not.toContain(part);
      }
    }
    expect(server.shown.length).toBeGreaterThan(4);
    const objects = cluster.requests.filter(({ path }) => !path.endsWith("/token"));
    for (const shown of server.shown) expect(JSON.stringify(objects)).not.toContain(shown.slice(7));
  });

  test("that refuses every token makes nobody ask for more than one", async () => {
    const server = await hostileServer(({ line }, response) => {
      if (line.endsWith("/capabilities")) return false;
      response.writeHead(401).end();
      return true;
    });
    const cluster = await StubCluster.start();
    const { code } = await run(["staging", "ls"], { cluster, uri: server.url });
    expect(code).toBe(1);
    expect(tokenRequests(cluster)).toHaveLength(1);
    expect(server.shown).toHaveLength(1);
  });
});

describe("an API server that does not make the token that is asked for", () => {
  const account = { namespace: "spark-jobs", account: "kindling-submitter" };
  test.each([
    [
      "passes over audiences",
      serviceAccountToken({ ...account, audiences: ["https://kubernetes.default.svc"] }),
      'for "https://kubernetes.default.svc"',
    ],
    [
      "adds its own audience",
      serviceAccountToken({ ...account, audiences: ["kindling-staging", "https://kubernetes.default.svc"] }),
      'for "kindling-staging, https://kubernetes.default.svc"',
    ],
    [
      "has that audience itself",
      serviceAccountToken({ ...account, audiences: ["kindling-staging"], issuer: "kindling-staging" }),
      "the API server's own audience",
    ],
    [
      "names no audience",
      serviceAccountToken({ ...account, audiences: [], claims: { aud: undefined } }),
      "for nobody in particular",
    ],
    [
      "gives one of another account",
      serviceAccountToken({ ...account, account: "spark", audiences: ["kindling-staging"] }),
      'of "system:serviceaccount:spark-jobs:spark" instead of kindling-submitter',
    ],
    [
      "gives one without an end",
      serviceAccountToken({ ...account, audiences: ["kindling-staging"], claims: { exp: undefined } }),
      "never ends",
    ],
    ["gives something else", "opaque-token-that-nobody-can-look-into", "no JSON Web Token"],
    ["gives a token with a line break", "a.b.c\r\nx: y", "no JSON Web Token"],
    ["gives nothing", undefined, "it has none in its answer"],
    ["gives a number", 42, "it has none in its answer"],
  ])("%s: nothing is sent to the staging server", async (_, token, why) => {
    const [server, cluster] = await Promise.all([hostileServer(), StubCluster.start()]);
    cluster.tokenFor = () => token;
    const { stdout, stderr, code } = await run(["staging", "ls"], { cluster, uri: server.url });
    expect(code).toBe(1);
    expect(server.shown).toEqual([]);
    expect(stderr).toContain(why);
    expect(stderr).toContain("nothing is sent to the staging server");
    expect(typeof token === "string" && (stdout + stderr).includes(token)).toBe(false);
  });

  test.each([301, 302, 303, 307, 308])("redirects with %i: nothing goes there", async (status) => {
    const [server, other] = await Promise.all([hostileServer(), hostileServer()]);
    const api = await hostileServer((_, response) => {
      response.writeHead(status, { location: other.url }).end();
      return true;
    });
    const { code } = await run(["staging", "ls"], { cluster: api as unknown as StubCluster, uri: server.url });
    expect(code).toBe(1);
    expect(api.shown.length).toBeGreaterThan(0);
    expect(other.requests).toEqual([]);
    expect(server.shown).toEqual([]);
  });
});
