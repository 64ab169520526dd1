import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { expect, onTestFinished, test } from "vitest";
import { boundToken, FakeDriver } from "../support/fake-driver.ts";
import { dial, head, type HostileSocket } from "@kindling/test-kit/hostile-socket";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
const KEYS = "/openid/v1/jwks";

interface Scene {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  readonly driver: FakeDriver;
  /** How often the API server was asked about forged tokens. */
  readonly askedAboutForged: () => number;
}

/** A gateway whose API server is slow with forged tokens: their reviews stay open until the test ends. */
async function scene({ hasKeys = true, isSlow = true } = {}): Promise<Scene> {
  const cluster = await TestCluster.start();
  const done = new Promise<void>((resolve) => onTestFinished(() => resolve()));
  cluster.api.fault = (request): Fault | undefined => {
    if (request.path === KEYS && !hasKeys) return { kind: "status", status: 403 };
    return isSlow && isAboutForged(request) ? { kind: "wait", until: done } : undefined;
  };
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "good");
  return {
    ...{ cluster, gateway, driver },
    askedAboutForged: () => cluster.api.requests.filter(isAboutForged).length,
  };
}

function isAboutForged({ path, body }: SeenRequest): boolean {
  const { spec } = (body ?? {}) as { readonly spec?: { readonly token?: string } };
  return path === REVIEWS && spec?.token?.includes(FORGED) === true;
}

const FORGED = Buffer.from("forged by somebody").toString("base64url");

/** A token with the claims of the driver's own token, an invalid signature, and any key name. */
function forged(driver: FakeDriver, key: "the cluster's" | "none"): string {
  const own = { namespace: driver.namespace, pod: { name: driver.pod.metadata?.name, uid: driver.uid } };
  const made = serviceAccountToken({
    ...{ namespace: driver.namespace, account: "spark", audiences: ["kindling-gateway"] },
    claims: { "kubernetes.io": own },
  });
  const [header, claims] = made.split(".");
  return `${key === "none" ? header : driver.token.split(".")[0]}.${claims}.${FORGED}`;
}

function send(gateway: TestGateway, driver: FakeDriver, token: string, from: string): HostileSocket {
  const hostile = dial(gateway.uri, { from });
  hostile.send(head("GET", driver.path("pods"), { Authorization: `Bearer ${token}` }));
  return hostile;
}

test.each(["the cluster's", "none"] as const)(
  "a driver's first token is looked at while its own address forges tokens with its uid, of a key that is %s",
  async (key) => {
    const { gateway, driver } = await scene();
    for (let count = 0; count < 50; count += 1) send(gateway, driver, forged(driver, key), "127.0.0.1");
    const started = Date.now();
    expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
    expect(Date.now() - started).toBeLessThan(3_000);
  },
);

test("the API server is not asked about a token that it has not signed", async () => {
  const { gateway, driver, askedAboutForged } = await scene();
  const answers = Array.from({ length: 20 }, () => send(gateway, driver, forged(driver, "the cluster's"), "127.0.0.1"));
  for (const { text } of answers) expect(await text).toMatch(/^HTTP\/1\.1 401 [^]*has not signed this token/);
  expect(askedAboutForged()).toBe(0);
});

test("without the cluster's keys, a driver's first token is looked at while another address forges tokens with its uid", async () => {
  const { gateway, driver, askedAboutForged } = await scene({ hasKeys: false });
  for (let count = 0; count < 100; count += 1) send(gateway, driver, forged(driver, "none"), "127.0.0.2");
  await eventually(() => expect(askedAboutForged()).toBeGreaterThan(4));
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
});

test("without the cluster's keys, a known driver's next token is looked at while its own address forges tokens with its uid", async () => {
  const { cluster, gateway, driver, askedAboutForged } = await scene({ hasKeys: false });
  const own = dial(gateway.uri);
  const ask = (token: string): string => head("GET", driver.path("pods"), { Authorization: `Bearer ${token}` });
  own.send(ask(driver.token));
  await eventually(() => expect(own.received()).toMatch(/^HTTP\/1\.1 200/));
  for (let count = 0; count < 100; count += 1) send(gateway, driver, forged(driver, "none"), "127.0.0.1");
  await eventually(() => expect(askedAboutForged()).toBeGreaterThan(4));
  own.send(ask(await boundToken(cluster, driver.pod)));
  await eventually(() => expect(own.received().match(/HTTP\/1\.1 200/g)).toHaveLength(2));
});

test("the API server is asked about few wrong tokens of one address, and those of others are looked at", async () => {
  const { gateway, driver, askedAboutForged } = await scene({ hasKeys: false, isSlow: false });
  const crowd = Array.from({ length: 300 }, () => send(gateway, driver, forged(driver, "none"), "127.0.0.2"));
  const statuses = (): string[] => crowd.map((one) => one.received().slice(9, 12));
  await eventually(() => expect(statuses().filter((status) => status === "429").length).toBeGreaterThan(100));
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
  expect(askedAboutForged()).toBeLessThan(120);
});
