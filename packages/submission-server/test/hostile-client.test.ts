import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { dial, head, type HostileSocket } from "@kindling/test-kit/hostile-socket";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { expect, test } from "vitest";
import { makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const PLACES = 40;
const APPLICATIONS = "/api/v1/submissions?namespace=spark-jobs";
const ALICE = { namespace: "spark-jobs", name: "alice" };
const AUDIENCE = "kindling-submission";

interface Scene {
  readonly cluster: TestCluster;
  readonly server: TestServer;
  /** The status for a client that the cluster knows. */
  readonly askAsKnown: () => Promise<number>;
}

async function scene(...settings: readonly string[]): Promise<Scene> {
  const cluster = await TestCluster.start();
  await makeAccount(cluster, ALICE);
  const auth = ["--auth-modes", "kubernetes", "--auth-audiences", AUDIENCE];
  const server = await startTestServer(cluster, { settings: [...auth, ...settings] });
  const known = tokenOf(cluster, ALICE, [AUDIENCE]);
  return {
    ...{ cluster, server },
    askAsKnown: async () =>
      (await server.ask("GET", APPLICATIONS, undefined, { authorization: `Bearer ${known}` })).status,
  };
}

function open(sockets: readonly HostileSocket[]): number {
  return sockets.filter((one) => one.isOpen()).length;
}

test.each([
  ["say nothing", "127.0.0.1", ""],
  ["send headers without end", "127.0.0.2", "GET /api/v1 HTTP/1.1\r\nHost: x\r\nX-More: x"],
])("a known client is answered while all places are taken by connections that %s", async (_what, from, begin) => {
  const { server, askAsKnown } = await scene("--listen-connections", String(PLACES));
  const crowd = Array.from({ length: 3 * PLACES }, () => dial(server.uri, { from }));
  for (const one of crowd) one.send(begin);
  await eventually(() => expect(open(crowd)).toBeLessThanOrEqual(PLACES));
  for (let count = 0; count < 10; count += 1) expect(await askAsKnown()).not.toBe(401);
});

test("a new client's token is looked at while another address has many looked at, and few wrong ones are", async () => {
  const { cluster, server, askAsKnown } = await scene("--auth-reviews", "4", "--limits-failed-reviews", "1");
  const forged = (): string =>
    serviceAccountToken({ namespace: "spark-jobs", account: "alice", audiences: [AUDIENCE], issuer: "forged" });
  const isAboutForged = ({ path, body }: SeenRequest): boolean => {
    const { spec } = (body ?? {}) as { readonly spec?: { readonly token?: string } };
    return path.endsWith("/tokenreviews") && spec?.token?.endsWith(SIGNATURE) === true;
  };
  const ask = (from: string): HostileSocket => {
    const hostile = dial(server.uri, { from });
    hostile.send(head("GET", APPLICATIONS, { Authorization: `Bearer ${forged()}` }));
    return hostile;
  };
  for (let count = 0; count < 40; count += 1) expect(await ask("127.0.0.2").status).toBeGreaterThanOrEqual(401);
  expect(cluster.api.requests.filter(isAboutForged).length).toBeLessThan(20);
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  cluster.api.fault = (request): Fault | undefined => (isAboutForged(request) ? { kind: "wait", until } : undefined);
  const slow = Array.from({ length: 8 }, () => ask("127.0.0.3"));
  await eventually(() => expect(slow.filter((one) => one.received() !== "").length).toBeGreaterThan(4));
  expect(await askAsKnown()).not.toBe(401);
  expect(await askAsKnown()).not.toBe(503);
  release();
});

const SIGNATURE = serviceAccountToken({ namespace: "", account: "", audiences: [] }).split(".")[2] ?? "";
