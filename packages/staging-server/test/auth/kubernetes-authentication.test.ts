import fc from "fast-check";
import { ManualClock } from "@kindling/outside";
import { describe, expect, it } from "vitest";
import { submitterNamespace } from "../../src/auth/submitter-account.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { CREATE_PODS, DELETE_PODS, grant, makeAccount, tokenOf } from "@kindling/test-cluster/accounts";
import { clusteredServer } from "../support/clustered-server.ts";
import { failWith, foreignUsers } from "../support/impostor.ts";
import { servedCluster } from "../support/served-cluster.ts";
import { jsonCall, problemOf, type TestServer } from "../support/test-server.ts";

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const KUBERNETES: Partial<ServerConfig> = { "auth.mode": "kubernetes" };

const ALICE = { namespace: "spark-jobs", name: "alice" };
const SUBMITTER = { namespace: "spark-jobs", name: "kindling-submitter" };

async function leaseStatus(server: TestServer, namespace: string, token: string): Promise<number> {
  return (await server.call("api/v1/leases", jsonCall({ namespace }, bearer(token)))).status;
}

it("lets those upload who can create pods in the namespace", async () => {
  const { server, cluster, clock } = await clusteredServer(KUBERNETES);
  const { api } = cluster;
  const admin = { namespace: "elsewhere", name: "admin" };
  for (const account of [ALICE, admin]) await makeAccount(cluster, account);
  await grant(cluster, ALICE, [CREATE_PODS], "spark-jobs");
  await grant(cluster, admin, [DELETE_PODS]);
  const [alices, admins] = [tokenOf(cluster, ALICE), tokenOf(cluster, admin)];
  expect(await leaseStatus(server, "spark-jobs", alices)).toBe(201);
  expect(await leaseStatus(server, "elsewhere", alices)).toBe(403);
  expect(await leaseStatus(server, "spark-jobs", "t-nobody")).toBe(401);
  expect((await server.call("api/v1/gc", jsonCall({}, bearer(alices)))).status).toBe(403);
  expect((await server.call("api/v1/gc", jsonCall({}, bearer(admins)))).status).toBe(200);

  const asked = (): number => api.requests.filter(({ method }) => method === "POST").length;
  const before = asked();
  for (let index = 0; index < 10; index++) await leaseStatus(server, "spark-jobs", alices);
  expect(asked()).toBe(before);
  await clock.advance(61_000);
  await leaseStatus(server, "spark-jobs", alices);
  expect(asked()).toBe(before + 2);

  await clock.advance(61_000);
  failWith(api, 500);
  const answer = await server.call("api/v1/leases", jsonCall({ namespace: "spark-jobs" }, bearer(alices)));
  expect([answer.status, problemOf(answer)]).toEqual([503, "store-unavailable"]);
}, 20_000);

describe("a token", () => {
  it("is taken only if it was made for this server", async () => {
    const { server, cluster } = await clusteredServer(KUBERNETES);
    await makeAccount(cluster, ALICE);
    await grant(cluster, ALICE, [CREATE_PODS], "spark-jobs");
    expect(await leaseStatus(server, "spark-jobs", tokenOf(cluster, ALICE, ["kindling-staging"]))).toBe(201);
    for (const audience of ["vault", "https://kubernetes.default.svc"]) {
      expect(await leaseStatus(server, "spark-jobs", tokenOf(cluster, ALICE, [audience]))).toBe(401);
    }
    // The token names no audience, so the API server decides.
    expect(await leaseStatus(server, "spark-jobs", cluster.devCluster.token)).toBe(401);
    const admin = { username: "alice", groups: ["system:masters"] };
    cluster.api.fault = foreignUsers({ "t-mine": admin, "t-none": { ...admin, audiences: [] } });
    expect(await leaseStatus(server, "spark-jobs", "t-mine")).toBe(201);
    expect(await leaseStatus(server, "spark-jobs", "t-none")).toBe(401);
  });

  it("is taken for the audiences that are configured, and for no others", async () => {
    const { server, cluster } = await clusteredServer({ ...KUBERNETES, "auth.audiences": ["staging-a", "staging-b"] });
    await makeAccount(cluster, ALICE);
    await grant(cluster, ALICE, [CREATE_PODS], "spark-jobs");
    const status = (audience: string): Promise<number> =>
      leaseStatus(server, "spark-jobs", tokenOf(cluster, ALICE, [audience]));
    expect(await status("staging-a")).toBe(201);
    expect(await status("staging-b")).toBe(201);
    expect(await status("kindling-staging")).toBe(401);
  });

  it("is refused, and said to be worth too much, if it is good for somebody else as well", async () => {
    const { server, cluster } = await clusteredServer(KUBERNETES);
    const token = tokenOf(cluster, SUBMITTER, ["kindling-staging", "https://kubernetes.default.svc"]);
    const answer = await server.call("api/v1/leases", jsonCall({ namespace: "spark-jobs" }, bearer(token)));
    expect([answer.status, problemOf(answer)]).toEqual([401, "unauthorized"]);
    expect(answer.body.toString()).toContain("not only for kindling-staging");
  });

  it("is not believed for longer than it lasts", async () => {
    const clock = new ManualClock();
    const served = await servedCluster({ clock });
    const { server, cluster } = await clusteredServer(KUBERNETES, { clock, served });
    const token = tokenOf(cluster, SUBMITTER, ["kindling-staging"], 20);
    const reviews = (): number => cluster.api.requests.filter(({ path }) => path.endsWith("/tokenreviews")).length;
    expect(await leaseStatus(server, "spark-jobs", token)).toBe(201);
    await clock.advance(1000);
    expect(await leaseStatus(server, "spark-jobs", token)).toBe(201);
    expect(reviews()).toBe(1);
    await clock.advance(20_000);
    expect(await leaseStatus(server, "spark-jobs", token)).toBe(401);
    expect(reviews()).toBe(2);
  });
});

describe("a submitter's account", () => {
  it("may upload for its own namespace and nothing else, and the API server is not asked about its rights", async () => {
    const { server, cluster } = await clusteredServer(KUBERNETES);
    // Rights that it got by mistake change nothing.
    await grant(cluster, SUBMITTER, [CREATE_PODS, DELETE_PODS]);
    const token = tokenOf(cluster, SUBMITTER);
    expect(await leaseStatus(server, "spark-jobs", token)).toBe(201);
    expect(await leaseStatus(server, "elsewhere", token)).toBe(403);
    expect((await server.call("api/v1/gc", jsonCall({}, bearer(token)))).status).toBe(403);
    const access = await server.call("api/v1/access", jsonCall({ namespace: "elsewhere" }, bearer(token)));
    expect(access.json).toEqual({
      subject: "system:serviceaccount:spark-jobs:kindling-submitter",
      allowed: false,
      reason: "system:serviceaccount:spark-jobs:kindling-submitter may upload for namespace spark-jobs only",
    });
    expect(cluster.api.requests.filter(({ path }) => path.endsWith("/subjectaccessreviews"))).toEqual([]);
  });

  it("is one by its exact name alone", async () => {
    const { server, cluster } = await clusteredServer(KUBERNETES);
    const names = [
      "system:serviceaccount:team-a:other",
      "system:serviceaccount:team-a:kindling-submitter:x",
      "system:serviceaccount:team-a:x:kindling-submitter",
      "x:system:serviceaccount:team-a:kindling-submitter",
      "system:serviceaccount:team-a:kindling-submitter ",
      "system:serviceaccount:team-a:Kindling-Submitter",
      "system:serviceaccounts:team-a:kindling-submitter",
      "kindling-submitter",
    ];
    const users = names.map((username, index) => [`t-${index}`, { username }] as const);
    cluster.api.fault = foreignUsers(Object.fromEntries(users));
    for (const [index, username] of names.entries()) {
      expect([username, await leaseStatus(server, "team-a", `t-${index}`)]).toEqual([username, 403]);
    }
  });

  it("is one of those that are configured", async () => {
    const { server, cluster } = await clusteredServer({ ...KUBERNETES, "auth.submitters": ["ci", "uploader"] });
    const status = (name: string): Promise<number> =>
      leaseStatus(server, "spark-jobs", tokenOf(cluster, { namespace: "spark-jobs", name }));
    for (const name of ["ci", "uploader"]) {
      await makeAccount(cluster, { namespace: "spark-jobs", name });
      expect(await status(name)).toBe(201);
    }
    expect(await status("kindling-submitter")).toBe(403);
  });

  it("stands for a namespace that could be one, whatever it is called", () => {
    const names = ["kindling-submitter"];
    const part = fc.oneof(fc.constantFrom("system", "serviceaccount", "kindling-submitter", "a", ""), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const username = parts.join(":");
        const namespace = submitterNamespace(username, names);
        const exact = /^system:serviceaccount:([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?):kindling-submitter$/;
        expect(namespace).toBe(exact.exec(username)?.[1]);
      }),
    );
  });
});
