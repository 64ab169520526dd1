import { createHash } from "node:crypto";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { type ProvidedClient, type RealProvider, startRealProvider } from "@kindling/test-kit/oidc-provider";
import { smallBrowser } from "@kindling/test-kit/small-browser";
import { startStub } from "@kindling/test-kit/stub-server";
import { signedToken, signingKey, startTestIssuer, type TestIssuer } from "@kindling/test-kit/oidc-issuer";
import { expect, test } from "vitest";
import { clientToken, serviceToken } from "./support/rights.ts";
import { piOf } from "./support/submissions.ts";
import { type Answer, startTestServer, testConfig, type TestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";
const KEY = signingKey("one");

function flagsOf(issuer: Pick<TestIssuer, "url" | "caFile">, modes = "oidc"): readonly string[] {
  return [
    ...["--auth-modes", modes, "--cluster-namespaces", "spark-jobs", "--auth-cache", "0s"],
    ...["--oidc-issuer-url", issuer.url, "--oidc-client-id", "kindling", "--oidc-ca-file", issuer.caFile],
    ...["--oidc-username-claim", "email", "--oidc-username-prefix", "corp:", "--oidc-groups-claim", "groups"],
    ...["--oidc-groups-prefix", "corp:"],
  ];
}

function sender(server: TestServer, token: string) {
  return (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.ask(method, path, body, { authorization: `Bearer ${token}` });
}

test("a token of the issuer gives its user the rights that the cluster gives to that name and its groups", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const issuer = await startTestIssuer([KEY]);
  const server = await startTestServer(cluster, { token: await serviceToken(cluster), settings: flagsOf(issuer) });
  await bind(cluster, "submitters", ["create", "get"], { kind: "Group", name: "corp:etl" });
  await bind(cluster, "killers", ["delete"], { kind: "User", name: "corp:ada@example.org" });
  const of = (email: string, groups: readonly string[]) =>
    sender(server, signedToken(KEY, issuer.claims({ email, groups })));
  const [ada, bob, eve] = [of("ada@example.org", ["etl"]), of("bob@example.org", ["etl"]), of("eve@example.org", [])];
  const made = await ada("POST", SUBMISSIONS, piOf());
  expect(made.status, made.text).toBe(201);
  const id = String(made.body["id"]);
  expect((await bob("GET", `${SUBMISSIONS}/${id}?diagnosis=false`)).status).toBe(200);
  const refused = await bob("DELETE", `${SUBMISSIONS}/${id}`);
  expect({ status: refused.status, detail: refused.body["detail"] }).toEqual({
    status: 403,
    detail: expect.stringMatching(/^corp:bob@example\.org may not delete pods in namespace spark-jobs/),
  });
  expect((await eve("POST", SUBMISSIONS, piOf())).status).toBe(403);
  expect((await ada("DELETE", `${SUBMISSIONS}/${id}`)).status).toBe(202);
});

test("a token that is not in order is refused in one line that says why, and is in no log line", async () => {
  const cluster = await TestCluster.start();
  const issuer = await startTestIssuer([KEY]);
  const server = await startTestServer(cluster, { settings: flagsOf(issuer) });
  const late = signedToken(KEY, issuer.claims({ email: "a@b.c", exp: 1 }));
  const answer = await sender(server, late)("GET", SUBMISSIONS);
  expect(answer.body).toMatchObject({
    status: 401,
    detail: "the token is not accepted: it has expired",
    hint: `send Authorization: Bearer with a token of the issuer ${issuer.url} for the client kindling`,
  });
  const foreign = signedToken(KEY, issuer.claims({ iss: "https://other.example" }));
  expect((await sender(server, foreign)("GET", SUBMISSIONS)).body["detail"]).toBe("the credentials are not accepted");
  expect((await sender(server, "a".repeat(17_000))("GET", SUBMISSIONS)).status).toBe(401);
  // Node itself refuses headers of this length (RFC 6585, 5).
  expect((await sender(server, "a".repeat(1_000_000))("GET", SUBMISSIONS)).status).toBe(431);
  expect(server.lines.join("")).not.toContain(late.split(".")[1]);
});

test("while the issuer cannot be asked, the answer is 503 with the reason, and later it is well", async () => {
  const cluster = await TestCluster.start();
  const issuer = await startTestIssuer([KEY]);
  issuer.document = { issuer: "https://liar.example" };
  const server = await startTestServer(cluster, { settings: flagsOf(issuer) });
  const ada = sender(server, signedToken(KEY, issuer.claims({ email: "a@b.c" })));
  const answer = await ada("GET", SUBMISSIONS);
  expect(answer.status).toBe(503);
  expect(answer.body["detail"]).toMatch(
    /^the issuer .* cannot be asked at present: the issuer calls itself "https:\/\/liar/,
  );
  expect(answer.headers.get("retry-after")).toBe("1");
  issuer.document = {};
  await eventually(async () => expect((await ada("GET", SUBMISSIONS)).status).toBe(200));
});

test("tokens of the cluster and tokens of the issuer may come to one service, and neither is shown to the other", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const issuer = await startTestIssuer([KEY]);
  const server = await startTestServer(cluster, {
    token: await serviceToken(cluster),
    settings: flagsOf(issuer, "kubernetes,oidc"),
  });
  await bind(cluster, "viewers", ["get"], { kind: "User", name: "corp:ada@example.org" });
  const before = cluster.api.requests.filter(({ path }) => path.endsWith("/tokenreviews")).length;
  const ada = sender(server, signedToken(KEY, issuer.claims({ email: "ada@example.org" })));
  expect((await ada("GET", `${SUBMISSIONS}?namespace=spark-jobs`)).status).toBe(200);
  expect(cluster.api.requests.filter(({ path }) => path.endsWith("/tokenreviews")).length).toBe(before);
  const account = sender(server, await clientToken(cluster, "viewer", ["view"]));
  expect((await account("GET", `${SUBMISSIONS}?namespace=spark-jobs`)).status).toBe(200);
});

test.each([
  [["--auth-modes", "oidc"], /oidc\.issuerUrl is not set, and auth\.modes has oidc/],
  [["--oidc-issuer-url", "https://a.b", "--oidc-client-id", "c"], /auth\.modes does not have oidc/],
  [["--auth-modes", "oidc", "--oidc-issuer-url", "https://a.b"], /oidc\.clientId is not set/],
])("%j is refused at the start", (flags, says) => {
  expect(() => testConfig(...flags)).toThrow(says);
});

interface Subject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** Binds verbs on pods in `spark-jobs`. */
async function bind(cluster: TestCluster, name: string, verbs: readonly string[], subject: Subject): Promise<void> {
  const place = "/apis/rbac.authorization.k8s.io/v1/namespaces/spark-jobs";
  const metadata = { name };
  await cluster.send("POST", `${place}/roles`, { metadata, rules: [{ apiGroups: [""], resources: ["pods"], verbs }] });
  await cluster.send("POST", `${place}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", ...subject }],
  });
}

test("an ID token of a certified provider is as good", { timeout: 60_000 }, async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const page = await startStub((_, response) => void response.end("signed in"));
  const client = { id: "kindling", secret: undefined, redirectUri: `${page.url}/callback` };
  const provider = await startRealProvider(client, () => ["etl"]);
  const server = await startTestServer(cluster, {
    token: await serviceToken(cluster),
    settings: flagsOf({ url: provider.url, caFile: provider.caFile }),
  });
  await bind(cluster, "submitters", ["create", "get"], { kind: "Group", name: "corp:etl" });
  const ada = sender(server, await idTokenOf(provider, client, "ada"));
  const made = await ada("POST", SUBMISSIONS, piOf());
  expect(made.status, made.text).toBe(201);
});

/** Goes through the provider's pages in a browser, as any client's user does, and changes the code for a token. */
async function idTokenOf({ url, ca }: RealProvider, client: ProvidedClient, name: string): Promise<string> {
  const verifier = "a-verifier-of-at-least-forty-three-characters-in-length";
  const asked = new URL("/auth", url);
  const query = {
    ...{ response_type: "code", client_id: client.id, redirect_uri: client.redirectUri, scope: "openid email groups" },
    ...{ code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" },
  };
  asked.search = new URLSearchParams(query).toString();
  const browser = smallBrowser(ca);
  const consent = await browser.submit(await browser.open(asked), { login: name, password: "any" });
  const back = await browser.submit(consent);
  const code = back.url.searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: client.redirectUri };
  const { text } = await browser.send(new URL("/token", url), { ...form, client_id: client.id });
  return String((JSON.parse(text) as Record<string, unknown>)["id_token"]);
}
