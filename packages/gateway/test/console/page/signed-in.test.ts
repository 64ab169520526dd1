import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { freePort } from "@kindling/test-kit/free-port";
import { type RealProvider, startRealProvider } from "@kindling/test-kit/oidc-provider";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { type ShownPage, type SmallBrowser, smallBrowser } from "@kindling/test-kit/small-browser";
import { expect, test } from "vitest";
import { testConfig, startTestGateway, type TestGateway } from "../../support/test-gateway.ts";
import { FakeDriver } from "../../support/fake-driver.ts";
import { NOBODY } from "../../support/policies.ts";

const SECRET = "the secret of/the client+page";

interface Served {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  readonly provider: RealProvider;
  readonly url: string;
  readonly audit: () => readonly Readonly<Record<string, unknown>>[];
}

async function serve(secret: string | undefined, ...more: readonly string[]): Promise<Served> {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = { id: "kindling-page", secret, redirectUri: `${url}/oidc/callback` };
  const provider = await startRealProvider(client, (name) => (name === "ada" ? ["etl"] : []));
  const secretFile =
    secret === undefined ? [] : ["--page-client-secret-file", scratchFolder().write("secret", `${secret}\n`)];
  const gateway = await startTestGateway(cluster, {
    policy: NOBODY,
    settings: [
      ...["--page-port", String(port), "--page-host", "127.0.0.1", "--page-url", url, ...secretFile],
      ...["--page-scopes", "openid,email,groups", "--audit-log-path", "-"],
      ...["--oidc-issuer-url", provider.url, "--oidc-client-id", client.id, "--oidc-ca-file", provider.caFile],
      ...["--oidc-username-claim", "email", "--oidc-groups-claim", "groups", "--oidc-groups-prefix", "corp:"],
      ...more,
    ],
  });
  const audit = () =>
    gateway.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ kind }) => kind === "Event");
  return { cluster, gateway, provider, url, audit };
}

/** Goes through the provider's own pages: a name, and consent. */
async function signInAs(browser: SmallBrowser, url: string, name: string): Promise<ShownPage> {
  const login = await browser.open(url);
  const consent = await browser.submit(login, { login: name, password: "any" });
  return await browser.submit(consent);
}

async function waitingApplication(cluster: TestCluster, gateway: TestGateway, name: string, namespace: string) {
  const driver = await FakeDriver.run(cluster, name, { namespace });
  await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  return driver;
}

async function letGetPods(cluster: TestCluster, namespace: string, group: string): Promise<void> {
  const place = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const metadata = { name: "viewers" };
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
  await cluster.send("POST", `${place}/roles`, { metadata, rules });
  await cluster.send("POST", `${place}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "viewers" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: group }],
  });
}

test.each([
  ["a client with a secret", SECRET],
  ["a public client", undefined],
])(
  "C32, C33: %s of a real provider: people sign in, see what the cluster lets them see, and sign out",
  { timeout: 120_000 },
  async (_, secret) => {
    const { cluster, gateway, provider, url, audit } = await serve(secret);
    await letGetPods(cluster, "spark-jobs", "corp:etl");
    const driver = await waitingApplication(cluster, gateway, "etl", "spark-jobs");
    await eventually(async () =>
      expect(await (await fetch(`${gateway.adminUri}api/overview`)).text()).toContain("spark-etl"),
    );

    const ada = smallBrowser(provider.ca);
    const page = await signInAs(ada, `${url}/?queue=etl`, "ada");
    expect({ status: page.status, url: page.url.href }).toEqual({ status: 200, url: `${url}/?queue=etl` });
    expect(page.text).toContain("ada@example.org");
    const overview = async (browser: SmallBrowser): Promise<ShownPage> =>
      await browser.open(`${url}/api/overview`, { accept: "application/json" });
    expect((await overview(ada)).text).toContain("spark-etl");
    const own = ada.set.filter((cookie) => cookie.startsWith("kindling-"));
    for (const cookie of own) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);

    const bob = smallBrowser(provider.ca);
    const seen = await signInAs(bob, `${url}/`, "bob");
    expect(seen.text).toContain("bob@example.org");
    expect(seen.text).not.toContain("spark-etl");
    expect((await overview(bob)).text).not.toContain("etl-driver");
    expect(JSON.parse((await overview(bob)).text)).toMatchObject({ applications: [] });

    const left = await ada.submit(page);
    expect(left.text).toMatch(/^You are signed out\. You are still signed in at https:\/\/127\.0\.0\.1/);
    expect((await overview(ada)).status).toBe(401);
    // The provider still knows her, and asks nothing.
    expect((await ada.open(url)).text).toContain("ada@example.org");

    expect(audit().filter(({ verb }) => verb === "sign-in")).toMatchObject([
      { decision: "allow", user: { username: "ada@example.org", groups: ["corp:etl", "system:authenticated"] } },
      { decision: "allow", user: { username: "bob@example.org", groups: ["system:authenticated"] } },
      { decision: "allow", user: { username: "ada@example.org" } },
    ]);
    const log = gateway.lines.join("");
    for (const word of [SECRET, driver.token, ...own.map((cookie) => cookie.split(/[=;]/)[1] ?? SECRET)].filter(
      (text) => text !== "",
    ))
      expect(log).not.toContain(word);
  },
);

test("what is not a browser on its way through a sign-in is refused", { timeout: 60_000 }, async () => {
  const { url, provider, audit, gateway } = await serve(SECRET);
  const stranger = smallBrowser(provider.ca);
  expect((await stranger.open(`${url}/api/overview`, { accept: "application/json" })).status).toBe(401);
  expect((await stranger.open(`${url}/page.js`, { accept: "*/*" })).status).toBe(401);
  const begun = await stranger.open(`${url}/`, { follows: false });
  const asked = new URL(String(begun.headers["location"]));
  expect(begun.status).toBe(302);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    ...{ response_type: "code", client_id: "kindling-page", redirect_uri: `${url}/oidc/callback` },
    ...{ scope: "openid email groups", code_challenge_method: "S256" },
  });
  const state = asked.searchParams.get("state") ?? "";
  for (const [query, says] of [
    ["", /this sign-in was not begun here/],
    ["?code=x&state=other", /this sign-in was not begun here/],
    [`?error=access_denied&state=${state}`, /the issuer refuses: access_denied/],
  ] as const)
    expect((await stranger.open(`${url}/oidc/callback${query}`)).text).toMatch(says);
  // The refusal ended that attempt.
  expect((await stranger.open(`${url}/oidc/callback?code=x&state=${state}`)).status).toBe(401);
  const again = await stranger.open(`${url}/`, { follows: false });
  const fresh = new URL(String(again.headers["location"])).searchParams.get("state") ?? "";
  const wrong = await stranger.open(`${url}/oidc/callback?code=wrong&state=${fresh}`);
  expect({ status: wrong.status, text: wrong.text }).toEqual({
    status: 401,
    text: `You are not signed in: the issuer gives no token: invalid_grant. Open ${url}/ to try again.\n`,
  });
  expect((await fetch(`${url}/oidc/logout`)).status).not.toBe(200);
  expect(audit().filter(({ decision }) => decision === "forbid").length).toBeGreaterThanOrEqual(5);
  // The page on the admin port is as it was: kubectl and kindling reach it through the API server.
  expect((await fetch(`${gateway.adminUri}api/overview`)).status).toBe(200);
});

test("nobody is sent to another site after signing in", { timeout: 60_000 }, async () => {
  const { url, provider } = await serve(SECRET);
  for (const path of ["//evil.example/", "/\\evil.example/"]) {
    const { status, url: shown } = await signInAs(smallBrowser(provider.ca), `${url}${path}`, "ada");
    expect({ status, host: shown.host }).toEqual({ status: 200, host: new URL(url).host });
  }
});

test.each([
  [["--page-port", "0"], /oidc\.issuerUrl is not set/],
  [["--oidc-issuer-url", "https://a.b", "--oidc-client-id", "c"], /page\.port is not: nothing would use the issuer/],
  [["--page-port", "0", "--oidc-issuer-url", "https://a.b", "--oidc-client-id", "c"], /page\.url is not set/],
  [["--page-url", "http://spark.example.org"], /expected an https URL without a path/],
  [["--page-scopes", "email"], /expected scopes with openid among them/],
])("%j is refused at the start", (flags, says) => {
  expect(() => testConfig(...flags)).toThrow(says);
});
