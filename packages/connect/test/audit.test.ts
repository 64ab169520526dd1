import { randomUUID } from "node:crypto";
import { endOf } from "@kindling/test-kit/connect-client";
import { framed, request } from "@kindling/test-kit/connect-messages";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import {
  accessList,
  rewrite,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "./support/test-server.ts";

type Line = Readonly<Record<string, unknown>>;

const PATIENT = 30_000;
const SESSION = randomUUID();
const ALICE = { username: "alice", groups: [], authentication: "token" };

/** A service that writes its audit log between the lines of its log. */
async function audited(options: TestServerOptions = {}): Promise<TestServer> {
  return await startTestServer({ ...options, settings: ["--audit-log-path", "-", ...(options.settings ?? [])] });
}

const linesOf = ({ lines }: TestServer): readonly Line[] => lines.map((line) => JSON.parse(line) as Line);
const eventsOf = (server: TestServer): readonly Line[] => linesOf(server).filter(({ kind }) => kind === "Event");
const loggedOf = (server: TestServer, message: string): readonly Line[] =>
  linesOf(server).filter(({ msg }) => msg === message);
const verbsOf = (server: TestServer): readonly unknown[] => eventsOf(server).map(({ verb }) => verb);

test(
  "a session, its driver and their ends are a line each: who, from where, with what",
  { timeout: PATIENT },
  async () => {
    const server = await audited({ profile: ["sharing: session"] });
    const own = server.client();
    const agent = `_SPARK_CONNECT_PYTHON spark/4.3.0 ${"x".repeat(1_000)}`;
    const headers = { "user-agent": agent };
    for (const method of ["ExecutePlan", "Config"]) await own.call(method, { session: SESSION, headers });
    const [pod] = await server.pods();
    await own.call("ReleaseSession", { session: SESSION });
    await eventually(() => expect(verbsOf(server)).toEqual(["create", "connect", "release", "delete"]));
    const of = (verb: string, reason: string, more: object): object => ({
      ...{ apiVersion: "audit.kindling/v1", kind: "Event", auditID: expect.any(String), time: expect.any(String) },
      ...{ component: "connect", verb, decision: "allow", reason },
      ...more,
    });
    const name = pod?.metadata?.name;
    const driver = { namespace: "spark-jobs", resource: "pods", name, profile: "small" };
    const [, connected] = eventsOf(server);
    expect(eventsOf(server)).toEqual([
      of("create", "for a session", { user: ALICE, object: driver }),
      of("connect", "a session's first call", {
        ...{
          user: ALICE,
          sourceIPs: ["127.0.0.1"],
          userAgent: expect.stringMatching(/^_SPARK_CONNECT_PYTHON spark\/4/),
        },
        object: { ...driver, session: SESSION },
      }),
      of("release", "its client has released the session", {
        ...{ user: ALICE, sourceIPs: ["127.0.0.1"] },
        object: { namespace: "spark-jobs", profile: "small", session: SESSION },
      }),
      of("delete", "its session was released (released)", { object: { ...driver, uid: pod?.metadata?.uid } }),
    ]);
    expect(String(connected?.["userAgent"]).length).toBeLessThan(300);
    expect(server.lines.join("")).not.toContain("token-of-alice");
  },
);

test("people read the same in the log, without addresses", { timeout: PATIENT }, async () => {
  const server = await startTestServer({ profile: ["sharing: session"] });
  await server.client().call("ExecutePlan", { session: SESSION });
  await server.client().call("ReleaseSession", { session: SESSION });
  await server.client().call("Config", { token: "guess" });
  await eventually(() => expect(loggedOf(server, "a driver was stopped")).toMatchObject([{ reason: "released" }]));
  const name = expect.stringMatching(/^connect-small-/) as string;
  const about = { level: "info", user: "alice", profile: "small" };
  expect(loggedOf(server, "a driver was made")).toMatchObject([{ ...about, namespace: "spark-jobs", name }]);
  expect(loggedOf(server, "a session began")).toMatchObject([{ ...about, session: SESSION, auth: "token", name }]);
  expect(loggedOf(server, "a session was released")).toMatchObject([{ ...about, session: SESSION }]);
  expect(loggedOf(server, "a call was refused")).toMatchObject([{ method: "Config", code: "UNAUTHENTICATED" }]);
  expect(eventsOf(server)).toEqual([]);
  expect(server.lines.join("")).not.toMatch(/127\.0\.0\.1[^:]|guess/);
});

test("a driver that waited says for whom it waits no more", { timeout: PATIENT }, async () => {
  const server = await audited({ profile: ["warm: 1"] });
  await eventually(() => expect(loggedOf(server, "a driver waits for a session")).toHaveLength(1));
  const [made] = eventsOf(server);
  expect(made).toMatchObject({ verb: "create", decision: "allow", reason: "to wait for a session" });
  expect(made).not.toHaveProperty("user");
  await server.client().call("ExecutePlan", { session: SESSION });
  const { name } = (made?.["object"] ?? {}) as { name?: string };
  expect(eventsOf(server)).toContainEqual(
    expect.objectContaining({ verb: "assign", user: ALICE, object: expect.objectContaining({ name }) as object }),
  );
  expect(eventsOf(server)).toContainEqual(
    expect.objectContaining({ verb: "connect", object: expect.objectContaining({ name, session: SESSION }) as object }),
  );
});

test("a driver that ends by itself, and one that others delete, say how", { timeout: PATIENT }, async () => {
  const server = await audited({ profile: ["sharing: session"] });
  const own = server.client();
  await own.call("ExecutePlan", { session: SESSION });
  const [first] = await server.pods();
  if (first === undefined) throw new Error("there is no driver");
  server.cluster.end(first, 1);
  await eventually(() =>
    expect(loggedOf(server, "a driver has ended")).toMatchObject([
      { level: "info", profile: "small", user: "alice", name: first.metadata?.name, reason: "Error (1)" },
    ]),
  );
  await own.call("ExecutePlan", { session: randomUUID() });
  const second = (await server.pods()).find(({ metadata }) => metadata?.name !== first.metadata?.name);
  for (const pod of [first, second])
    await server.cluster.send("DELETE", `/api/v1/namespaces/spark-jobs/pods/${pod?.metadata?.name ?? ""}`);
  await eventually(() =>
    expect(eventsOf(server).filter(({ verb }) => verb === "end")).toMatchObject([
      { reason: "Error (1)", object: { uid: first.metadata?.uid } },
      { reason: "its pod was deleted", object: { uid: second?.metadata?.uid } },
    ]),
  );
});

test("each refusal says who, from where, and why", { timeout: PATIENT }, async () => {
  const server = await audited();
  const own = server.client();
  await own.call("ExecutePlan", { session: SESSION, token: "" });
  await own.call("ExecutePlan", { session: SESSION, token: "guess" });
  await own.call("ExecutePlan", { session: SESSION, headers: { "x-profile": "large" } });
  await own.call("ExecutePlan", { session: SESSION, headers: { "x-queue": "night" } });
  const stranger = { verb: "connect", decision: "forbid", sourceIPs: ["127.0.0.1"] };
  expect(eventsOf(server)).toMatchObject([
    { ...stranger, reason: expect.stringMatching(/^no token was sent: .* \(UNAUTHENTICATED\)$/) as string },
    { ...stranger, reason: expect.stringMatching(/^the token is not accepted: .* \(UNAUTHENTICATED\)$/) as string },
    {
      ...{ ...stranger, user: ALICE, reason: "alice may not use profile large: you may use small (PERMISSION_DENIED)" },
      object: { session: SESSION },
    },
    {
      ...{ ...stranger, user: ALICE, reason: "profile small has no such queue: it has none (PERMISSION_DENIED)" },
      object: { namespace: "spark-jobs", profile: "small", session: SESSION },
    },
  ]);
  expect(eventsOf(server)[0]).not.toHaveProperty("user");
  expect(server.lines.join("")).not.toContain("guess");
});

test("a token that is taken back in the middle of a call is a refusal", { timeout: PATIENT }, async () => {
  const server = await audited({ settings: ["--auth-cache", "1s"] });
  server.driver.answer = () => undefined;
  const stream = server.client().begin("ExecutePlan");
  const ended = endOf(stream);
  stream.end(framed(request(SESSION)));
  await eventually(() => expect(server.driver.calls).toHaveLength(1));
  rewrite(server.accessFile, accessList([["bob", "token-of-bob", "spark-jobs"]]));
  await ended;
  expect(eventsOf(server)).toContainEqual(
    expect.objectContaining({
      ...{ verb: "connect", decision: "forbid", user: ALICE },
      reason: "the token of this call has ended or was taken back (UNAUTHENTICATED)",
    }),
  );
});

test(
  "a flood of refusals is written in part, and the next line says how many are missing",
  { timeout: PATIENT },
  async () => {
    const server = await audited();
    const own = server.client();
    // Fewer than a connection may have: see the floods.
    const flood = 150;
    for (let count = 0; count < flood; count += 1) await own.call("Config", { token: "guess" });
    await own.call("Config", { headers: { "x-profile": "large" } });
    const written = eventsOf(server);
    const last = written.at(-1);
    expect(last).toMatchObject({ user: ALICE, decision: "forbid" });
    // A few come back while the flood goes on.
    expect(written.length).toBeLessThan(35);
    const missing = written.reduce((sum, { omitted = 0 }) => sum + Number(omitted), 0);
    expect(written.length - 1 + missing).toBe(flood);
    expect(loggedOf(server, "a call was refused")).toHaveLength(written.length);
  },
);
