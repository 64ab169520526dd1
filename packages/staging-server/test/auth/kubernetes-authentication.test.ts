import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { submitterNamespace } from "../../src/auth/submitter-account.ts";
import { clusteredServer } from "../support/clustered-server.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { jsonCall, problemOf, type TestServer } from "../support/test-server.ts";

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const KUBERNETES: Partial<ServerConfig> = { "auth.mode": "kubernetes" };

async function leaseStatus(server: TestServer, namespace: string, token: string): Promise<number> {
  return (await server.call("api/v1/leases", jsonCall({ namespace }, bearer(token)))).status;
}

it("lets those upload who can create pods in the namespace", async () => {
  const { server, api, clock } = await clusteredServer(KUBERNETES);
  api.allow("t-alice", { username: "alice", createPodsIn: ["team-a"] });
  api.allow("t-admin", { username: "admin", createPodsIn: [], deletePods: true });
  expect(await leaseStatus(server, "team-a", "t-alice")).toBe(201);
  expect(await leaseStatus(server, "team-b", "t-alice")).toBe(403);
  expect(await leaseStatus(server, "team-a", "t-nobody")).toBe(401);
  expect((await server.call("api/v1/gc", jsonCall({}, bearer("t-alice")))).status).toBe(403);
  expect((await server.call("api/v1/gc", jsonCall({}, bearer("t-admin")))).status).toBe(200);

  const asked = (): number => api.requests.filter((path) => path.startsWith("POST")).length;
  const before = asked();
  for (let index = 0; index < 10; index++) await leaseStatus(server, "team-a", "t-alice");
  expect(asked()).toBe(before);
  await clock.advance(61_000);
  await leaseStatus(server, "team-a", "t-alice");
  expect(asked()).toBe(before + 2);

  await clock.advance(61_000);
  api.fail(500);
  const answer = await server.call("api/v1/leases", jsonCall({ namespace: "team-a" }, bearer("t-alice")));
  expect([answer.status, problemOf(answer)]).toEqual([503, "store-unavailable"]);
}, 20_000);

describe("a token", () => {
  it("is taken only if it was made for this server", async () => {
    const { server, api } = await clusteredServer(KUBERNETES);
    const user = { username: "alice", createPodsIn: ["team-a"] };
    api.allow("t-mine", { ...user, audience: "kindling-staging" });
    api.allow("t-other", { ...user, audience: "vault" });
    api.allow("t-api", { ...user, audience: "https://kubernetes.default.svc" });
    api.allow("t-none", { ...user, audience: null });
    expect(await leaseStatus(server, "team-a", "t-mine")).toBe(201);
    for (const token of ["t-other", "t-api", "t-none"]) expect(await leaseStatus(server, "team-a", token)).toBe(401);
  });

  it("is taken for the audiences that are configured, and for no others", async () => {
    const { server, api } = await clusteredServer({ ...KUBERNETES, "auth.audiences": ["staging-a", "staging-b"] });
    for (const audience of ["staging-a", "staging-b", "kindling-staging"]) {
      api.allow(`t-${audience}`, { username: "alice", createPodsIn: ["team-a"], audience });
    }
    expect(await leaseStatus(server, "team-a", "t-staging-a")).toBe(201);
    expect(await leaseStatus(server, "team-a", "t-staging-b")).toBe(201);
    expect(await leaseStatus(server, "team-a", "t-kindling-staging")).toBe(401);
  });

  it("is refused, and said to be worth too much, if it is good for somebody else as well", async () => {
    const { server, api } = await clusteredServer(KUBERNETES);
    const audiences = ["kindling-staging", "https://kubernetes.default.svc"];
    const token = serviceAccountToken({ namespace: "team-a", account: "kindling-submitter", audiences });
    api.allow(token, { username: "system:serviceaccount:team-a:kindling-submitter", createPodsIn: ["team-a"] });
    const answer = await server.call("api/v1/leases", jsonCall({ namespace: "team-a" }, bearer(token)));
    expect([answer.status, problemOf(answer)]).toEqual([401, "unauthorized"]);
    expect(answer.body.toString()).toContain("not for kindling-staging alone");
  });

  it("is not believed for longer than it lasts", async () => {
    const { server, api, clock } = await clusteredServer(KUBERNETES);
    const token = serviceAccountToken({
      ...{ namespace: "team-a", account: "kindling-submitter", audiences: ["kindling-staging"] },
      lifeSeconds: 20,
    });
    api.allow(token, { username: "system:serviceaccount:team-a:kindling-submitter", createPodsIn: [] });
    const reviews = (): number => api.requests.filter((line) => line.includes("tokenreviews")).length;
    expect(await leaseStatus(server, "team-a", token)).toBe(201);
    await clock.advance(1000);
    expect(await leaseStatus(server, "team-a", token)).toBe(201);
    expect(reviews()).toBe(1);
    await clock.advance(20_000);
    await leaseStatus(server, "team-a", token);
    expect(reviews()).toBe(2);
  });
});

describe("a submitter's account", () => {
  it("may upload for its own namespace and nothing else, and the API server is not asked about its rights", async () => {
    const { server, api } = await clusteredServer(KUBERNETES);
    // Rights that somebody gave it by mistake change nothing.
    const rights = { createPodsIn: ["team-a", "team-b"], deletePods: true };
    api.allow("t-submitter", { username: "system:serviceaccount:team-a:kindling-submitter", ...rights });
    expect(await leaseStatus(server, "team-a", "t-submitter")).toBe(201);
    expect(await leaseStatus(server, "team-b", "t-submitter")).toBe(403);
    expect((await server.call("api/v1/gc", jsonCall({}, bearer("t-submitter")))).status).toBe(403);
    const access = await server.call("api/v1/access", jsonCall({ namespace: "team-b" }, bearer("t-submitter")));
    expect(access.json).toEqual({
      subject: "system:serviceaccount:team-a:kindling-submitter",
      allowed: false,
      reason: "system:serviceaccount:team-a:kindling-submitter may upload for namespace team-a only",
    });
    expect(api.requests.filter((line) => line.includes("subjectaccessreviews"))).toEqual([]);
  });

  it("is one by its exact name alone", async () => {
    const { server, api } = await clusteredServer(KUBERNETES);
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
    for (const [index, username] of names.entries()) {
      api.allow(`t-${index}`, { username, createPodsIn: [] });
      expect([username, await leaseStatus(server, "team-a", `t-${index}`)]).toEqual([username, 403]);
    }
  });

  it("is one of those that are configured", async () => {
    const { server, api } = await clusteredServer({ ...KUBERNETES, "auth.submitters": ["ci", "uploader"] });
    for (const name of ["ci", "uploader", "kindling-submitter"]) {
      api.allow(`t-${name}`, { username: `system:serviceaccount:team-a:${name}`, createPodsIn: [] });
    }
    expect(await leaseStatus(server, "team-a", "t-ci")).toBe(201);
    expect(await leaseStatus(server, "team-a", "t-uploader")).toBe(201);
    expect(await leaseStatus(server, "team-a", "t-kindling-submitter")).toBe(403);
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
