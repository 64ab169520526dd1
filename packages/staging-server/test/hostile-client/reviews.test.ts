import { expect, it } from "vitest";
import type { ApiRecorder } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import type { TestCluster, TestClusterOptions } from "@kindling/test-cluster/test-cluster";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import { CREATE_PODS, grant, makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { servedCluster } from "../support/served-cluster.ts";
import { jsonCall, testServer, type TestServer } from "../support/test-server.ts";

interface Scene {
  readonly server: TestServer;
  readonly cluster: TestCluster;
  /** A token of a user who may create pods in the namespace `spark-jobs`. */
  readonly known: string;
  /** How often the API server has been asked about tokens. */
  readonly reviews: () => number;
  readonly open: (token: string, from?: string) => Promise<number>;
}

const ALICE = { namespace: "spark-jobs", name: "alice" };
/** The audience of tokens for the API server itself. */
const API_SERVER = "https://kubernetes.default.svc";

async function scene(settings: Partial<ServerConfig> = {}, options: TestClusterOptions = {}): Promise<Scene> {
  const { cluster, kubeconfig } = await servedCluster(options);
  await makeAccount(cluster, ALICE);
  await grant(cluster, ALICE, [CREATE_PODS], "spark-jobs");
  const server = await testServer(
    {
      "auth.mode": "kubernetes",
      "auth.audiences": ["kindling-staging"],
      "cluster.kubeconfig": kubeconfig,
      "limits.failedReviews": 2,
      ...settings,
    },
    { connectCluster },
  );
  return {
    server,
    cluster,
    known: tokenOf(cluster, ALICE),
    reviews: () => asked(cluster.api, "tokenreviews"),
    async open(token, from) {
      const forwarded = from === undefined ? {} : { "x-forwarded-for": from };
      const headers = { authorization: `Bearer ${token}`, ...forwarded };
      return (await server.call("api/v1/leases", jsonCall({ namespace: "spark-jobs" }, headers))).status;
    },
  };
}

function asked({ requests }: ApiRecorder, reviews: string): number {
  return requests.filter(({ path }) => path.endsWith(`/${reviews}`)).length;
}

/** A token with an unchecked signature. */
function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}

const LATER = Math.floor(Date.now() / 1000) + 600;

it("asks the API server about few wrong tokens of one address, and goes on with those that it knows", async () => {
  const { known, reviews, open } = await scene({ "auth.cache": 0 });
  expect(await open(known)).toBe(201);
  const guesses = Array.from({ length: 200 }, (_, index) => jwt({ aud: ["kindling-staging"], exp: LATER, index }));
  const statuses: number[] = [];
  for (const guess of guesses) statuses.push(await open(guess));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const before = reviews();
  expect(before).toBeLessThan(100);
  expect(await open(known)).toBe(201);
  expect(reviews()).toBe(before + 1);
}, 30_000);

it("does not ask about tokens that say themselves that they are for somebody else, or of yesterday", async () => {
  const { reviews, open } = await scene();
  const sub = "system:serviceaccount:team-a:spark";
  expect(await open(jwt({ sub, aud: ["vault"], exp: LATER }))).toBe(401);
  expect(await open(jwt({ sub, aud: "https://kubernetes.default.svc", exp: LATER }))).toBe(401);
  expect(await open(jwt({ sub, exp: LATER }))).toBe(401);
  expect(await open(jwt({ sub, aud: ["kindling-staging"], exp: LATER - 86_400 }))).toBe(401);
  expect(await open(jwt({ sub: "alice", aud: ["kindling-staging"], exp: LATER - 86_400 }))).toBe(401);
  expect(reviews()).toBe(0);
  expect(await open(jwt({ sub, aud: ["kindling-staging"], exp: LATER }))).toBe(401);
  expect(reviews()).toBe(1);
});

it.each([
  ["that is no JSON Web Token", "opaque-0123456789"],
  ["with dots that are none of a JSON Web Token's", "a.b.c"],
  ["that does not say for whom it is", jwt({ sub: "alice", exp: LATER })],
])("asks about a token %s", async (_what, token) => {
  // The administrator's token may be any text, and is valid only for the API server.
  const { reviews, open } = await scene({ "auth.audiences": [API_SERVER] }, { token });
  expect(await open(token)).toBe(201);
  expect(reviews()).toBe(1);
});

it("asks about no more wrong tokens of all addresses together than of ten", async () => {
  const { reviews, open } = await scene({ "listen.trustedProxies": ["127.0.0.1"], "limits.failedReviews": 1 });
  const statuses: number[] = [];
  for (let index = 0; index < 400; index++) statuses.push(await open(`guess-${index}`, `192.0.2.${index % 200}`));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // A hundred at once, and then ten a second.
  expect(reviews()).toBe(statuses.filter((status) => status === 401).length);
  expect(reviews()).toBeLessThan(300);
}, 30_000);

it("waits for few answers of a slow API server for one address, and for some of another", async () => {
  const { cluster, reviews, open } = await scene({ "listen.trustedProxies": ["127.0.0.1"], "limits.reviews": 4 });
  let goOn = (): void => {};
  const until = new Promise<void>((resolve) => (goOn = resolve));
  cluster.api.fault = () => ({ kind: "wait", until });
  const hanging = [open("one", "192.0.2.1"), open("two", "192.0.2.1")];
  await eventually(() => expect(reviews()).toBe(2));
  expect(await open("three", "192.0.2.1")).toBe(429);
  hanging.push(open("four", "192.0.2.2"));
  await eventually(() => expect(reviews()).toBe(3));
  await cluster.devCluster.stop();
  goOn();
  expect(await Promise.all(hanging)).toEqual([503, 503, 503]);
});

it("counts wrong tokens by the client that a trusted proxy names", async () => {
  const { known, open } = await scene({ "listen.trustedProxies": ["127.0.0.1"] });
  for (let index = 0; index < 30; index++) {
    await open(jwt({ aud: ["kindling-staging"], exp: LATER, index }), "192.0.2.1");
  }
  expect(await open(jwt({ aud: ["kindling-staging"], exp: LATER, last: true }), "192.0.2.1")).toBe(429);
  expect(await open(known, "192.0.2.1")).toBe(429);
  expect(await open(known, "192.0.2.2")).toBe(201);
  // The token is known by now, so other requests from its address do not limit it any more.
  expect(await open(known, "192.0.2.1")).toBe(201);
});

it("asks about few rights that a tenant does not have", async () => {
  const { server, cluster, known } = await scene();
  const headers = { authorization: `Bearer ${known}` };
  const statuses = new Set<number>();
  for (let index = 0; index < 200; index++) {
    const answer = await server.call("api/v1/access", jsonCall({ namespace: `team-${index}` }, headers));
    statuses.add(answer.status);
  }
  expect(statuses).toEqual(new Set([200, 429]));
  expect(asked(cluster.api, "subjectaccessreviews")).toBeLessThan(190);
}, 30_000);
