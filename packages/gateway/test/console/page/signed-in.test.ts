import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { type ShownPage, type SmallBrowser, smallBrowser } from "@kindling/test-kit/small-browser";
import { expect, test } from "vitest";
import { testConfig, type TestGateway } from "../../support/test-gateway.ts";
import { grant, serveSignedIn, signInAs } from "../../support/signed-in-page.ts";
import { FakeDriver } from "../../support/fake-driver.ts";

const SECRET = "the secret of/the client+page";

async function waitingApplication(cluster: TestCluster, gateway: TestGateway, name: string, namespace: string) {
  const driver = await FakeDriver.run(cluster, name, { namespace });
  await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  return driver;
}

test.each([
  ["a client with a secret", SECRET],
  ["a public client", undefined],
])(
  "C32, C33: %s of a real provider: people sign in, see what the cluster lets them see, and sign out",
  { timeout: 120_000 },
  async (_, secret) => {
    const cluster = await TestCluster.start({ authorization: "rbac" });
    const { gateway, provider, url, audit } = await serveSignedIn(cluster, { secret });
    await grant(cluster, { namespace: "spark-jobs", group: "corp:etl", resources: ["pods"] });
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
  const { url, provider, audit, gateway } = await serveSignedIn(await TestCluster.start({ authorization: "rbac" }), {
    secret: SECRET,
  });
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
  const { url, provider } = await serveSignedIn(await TestCluster.start({ authorization: "rbac" }), { secret: SECRET });
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
