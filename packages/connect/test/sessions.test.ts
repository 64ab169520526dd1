import { randomUUID } from "node:crypto";
import { constants } from "node:http2";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import { framed, request } from "@kindling/test-kit/connect-messages";
import { eventually } from "@kindling/test-kit/eventually";
import { freePort } from "@kindling/test-kit/free-port";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { rewrite, startTestServer, type TestServer } from "./support/test-server.ts";

const PATIENT = 30_000;
const [FIRST, SECOND] = [randomUUID(), randomUUID()];
const BOB = "token-of-bob";

/** Makes a call for each of alice's two sessions and for one of bob's, at the same time. */
async function threeSessions({ client }: TestServer): Promise<void> {
  const own = client();
  const ends = await Promise.all([
    own.call("ExecutePlan", { session: FIRST }),
    own.call("ExecutePlan", { session: FIRST }),
    own.call("ExecutePlan", { session: SECOND }),
    own.call("ExecutePlan", { session: FIRST, token: BOB }),
  ]);
  expect(ends.map(({ status, message }) => [status, message])).toEqual(ends.map(() => ["0", ""]));
}

test.each([
  ["all", 1],
  ["user", 2],
  ["session", 3],
])("sharing: %s makes as many drivers: %d", { timeout: PATIENT }, async (sharing, count) => {
  const server = await startTestServer({ profile: [`sharing: ${sharing}`] });
  await threeSessions(server);
  expect(await server.pods()).toHaveLength(count);
});

test("a queue has drivers of its own", { timeout: PATIENT }, async () => {
  const { client, pods } = await startTestServer({ profile: ["queue: usual", "queues: [adhoc]"] });
  const own = client();
  await own.call("ExecutePlan");
  await own.call("ExecutePlan", { headers: { "x-queue": "adhoc" } });
  await own.call("ExecutePlan", { headers: { "x-queue": "usual" } });
  expect(await pods()).toHaveLength(2);
});

test("a driver that nobody uses is stopped, and the next call wakes another", { timeout: PATIENT }, async () => {
  const { client, pods } = await startTestServer({ profile: ["idle: 1s"] });
  const own = client();
  await own.call("ExecutePlan", { session: FIRST });
  const [before] = await pods();
  await eventually(async () => expect(await pods()).toEqual([]));
  for (const method of ["ReattachExecute", "Interrupt", "GetStatus"]) {
    const { status, details } = await own.call(method, { session: FIRST });
    expect([status, details]).toEqual(["13", expect.stringContaining("[INVALID_HANDLE.SESSION_NOT_FOUND]")]);
  }
  expect(await own.call("ReleaseSession", { session: FIRST })).toMatchObject({ status: "0" });
  expect(await pods()).toEqual([]);
  expect(await own.call("ExecutePlan", { session: FIRST })).toMatchObject({ status: "0" });
  const [after] = await pods();
  expect(after?.metadata?.name).not.toBe(before?.metadata?.name);
});

test.each([
  ["made for its session", 0],
  ["that waited for a session", 1],
])("a driver %s, and slower than drivers may be idle, gets the call", { timeout: PATIENT }, async (_, warm) => {
  const port = await freePort();
  const profile = ["image: stub:1", "command: [serve]", `port: ${port}`, "idle: 1s", `warm: ${warm}`].join(", ");
  const profiles = `profiles:\n  small: {namespace: spark-jobs, ${profile}}\n`;
  const { client, driver, pods } = await startTestServer({ profiles });
  await eventually(async () => expect(await pods()).toHaveLength(warm));
  const called = client().call("ExecutePlan", { session: FIRST });
  const isOld = async (): Promise<void> => {
    const own = (await pods()).find(({ metadata }) => metadata?.labels?.["connect.kindling/key"] !== undefined);
    expect(Date.parse(own?.metadata?.creationTimestamp ?? "")).toBeLessThan(Date.now() - 3000);
  };
  await Promise.race([eventually(isOld), called]);
  const relay = createServer((socket) => pipeline(socket, connect(driver.port, "127.0.0.1"), socket, () => undefined));
  onTestFinished(() => void relay.close());
  relay.listen(port, "127.0.0.1");
  expect(await called).toMatchObject({ status: "0" });
});

test("a driver that works is not idle", { timeout: PATIENT }, async () => {
  const { client, driver, pods, adminUri } = await startTestServer({ profile: ["idle: 1s"] });
  const { answer } = driver;
  driver.answer = () => undefined;
  const stream = client().begin("ExecutePlan");
  stream.end(Buffer.from(""));
  const busy = client().call("ExecutePlan", { session: FIRST });
  await eventually(() => expect(driver.calls).toHaveLength(1));
  const began = Date.now();
  await eventually(async () => {
    expect(Date.now() - began).toBeGreaterThan(2500);
    expect(await (await fetch(new URL("metrics", adminUri))).text()).toContain("connect_calls_open 1");
  });
  expect(await pods()).toHaveLength(1);
  const [call] = driver.calls;
  if (call !== undefined) answer(call);
  expect(await busy).toMatchObject({ status: "0" });
});

test("a driver of one session goes when the session is released", { timeout: PATIENT }, async () => {
  const { client, pods, driver } = await startTestServer({ profile: ["sharing: session"] });
  const own = client();
  await own.call("ExecutePlan", { session: FIRST });
  await own.call("ExecutePlan", { session: SECOND });
  // Stock clients do both: they leave a stream before its end, and release operations after their session.
  const { answer } = driver;
  driver.answer = () => undefined;
  const left = own.begin("ExecutePlan");
  left.end(framed(request(FIRST)));
  await eventually(() => expect(driver.calls).toHaveLength(3));
  left.close(constants.NGHTTP2_CANCEL);
  driver.answer = answer;
  await own.call("ReleaseSession", { session: FIRST });
  await own.call("ReleaseExecute", { session: FIRST });
  await eventually(async () => expect(await pods()).toHaveLength(1));
});

test("a session that is released after its driver counts no more", { timeout: PATIENT }, async () => {
  const { client, pods } = await startTestServer({ profile: ["idle: 1s", "sessionsPerUser: 1"] });
  const own = client();
  await own.call("ExecutePlan", { session: FIRST });
  await eventually(async () => expect(await pods()).toEqual([]));
  expect(await own.call("ReleaseSession", { session: FIRST })).toMatchObject({ status: "0" });
  expect(await own.call("ExecutePlan", { session: SECOND })).toMatchObject({ status: "0" });
});

test.each([
  ["session", "12"],
  ["user", "0"],
])("sharing: %s and the copy of a session", { timeout: PATIENT }, async (sharing, status) => {
  const { client } = await startTestServer({ profile: [`sharing: ${sharing}`] });
  expect(await client().call("CloneSession", { session: FIRST })).toMatchObject({ status });
});

test("a driver ends with its time to live", { timeout: PATIENT }, async () => {
  const { client, pods } = await startTestServer({ profile: ["ttl: 3s", "startTimeout: 2s"] });
  await client().call("ExecutePlan", { session: FIRST });
  await eventually(async () => expect(await pods()).toEqual([]));
});

describe("limits of a user", () => {
  test("drivers", { timeout: PATIENT }, async () => {
    const { client, pods } = await startTestServer({ profile: ["sharing: session", "driversPerUser: 2"] });
    const own = client();
    for (const session of [FIRST, SECOND]) await own.call("ExecutePlan", { session });
    const third = await own.call("ExecutePlan");
    expect(third).toMatchObject({
      status: "8",
      message: expect.stringMatching(/^you have 2 drivers of profile small/) as string,
    });
    expect(await own.call("ExecutePlan", { token: BOB })).toMatchObject({ status: "0" });
    expect(await pods()).toHaveLength(3);
  });

  test("drivers, also when all are wanted at the same moment", { timeout: PATIENT }, async () => {
    const { client, pods } = await startTestServer({ profile: ["sharing: session", "driversPerUser: 3"] });
    const own = client();
    const ends = await Promise.all(Array.from({ length: 100 }, () => own.call("Config")));
    expect(ends.filter(({ status }) => status === "0")).toHaveLength(3);
    expect(ends.filter(({ status }) => status === "8")).toHaveLength(97);
    expect(await pods()).toHaveLength(3);
  });

  test("sessions: the thousandth is refused, and one that ends makes room", { timeout: PATIENT }, async () => {
    const { client } = await startTestServer({ profile: ["sessionsPerUser: 3"] });
    const own = client();
    const ids = Array.from({ length: 1000 }, () => randomUUID());
    const ends = await Promise.all(ids.map((session) => own.call("Config", { session })));
    expect(ends.filter(({ status }) => status === "0")).toHaveLength(3);
    expect(ends.filter(({ status }) => status === "8")).toHaveLength(997);
    const known = ids.find((_, index) => ends[index]?.status === "0");
    await own.call("ReleaseSession", { session: known ?? "" });
    expect(await own.call("Config")).toMatchObject({ status: "0" });
  });
});

describe("drivers that wait", () => {
  const waiting = (pods: readonly Pod[]): number =>
    pods.filter(({ metadata }) => metadata?.labels?.["connect.kindling/key"] === undefined).length;

  test("are made, tried with a query, taken by a session, and made again", { timeout: PATIENT }, async () => {
    const { client, driver, pods } = await startTestServer({ profile: ["warm: 2"] });
    await eventually(async () => expect(waiting(await pods())).toBe(2));
    await eventually(() => expect(driver.calls.filter(({ method }) => method === "ReleaseSession")).toHaveLength(2));
    expect(driver.calls.map(({ user }) => user)).toEqual(driver.calls.map(() => "kindling-connect"));
    const names = (await pods()).map(({ metadata }) => metadata?.name);
    const taking = Date.now();
    await client().call("ExecutePlan", { session: FIRST });
    await eventually(async () => expect([(await pods()).length, waiting(await pods())]).toEqual([3, 2]));
    // The session's first query has the processors to itself. Times of creation are whole seconds.
    const made = (await pods()).map(({ metadata }) => Date.parse(metadata?.creationTimestamp ?? ""));
    expect(Math.max(...made)).toBeGreaterThanOrEqual(taking + 1000);
    const taken = (await pods()).find(({ metadata }) => metadata?.annotations?.["connect.kindling/user"] === "alice");
    expect(names).toContain(taken?.metadata?.name);
  });

  test("go when the profile wants fewer", { timeout: PATIENT }, async () => {
    const { driver, pods, profilesFile } = await startTestServer({ profile: ["warm: 2"] });
    await eventually(async () => expect(await pods()).toHaveLength(2));
    const text = `profiles:\n  small: {namespace: spark-jobs, image: stub:1, command: [serve], port: ${driver.port}}\n`;
    rewrite(profilesFile, text);
    await eventually(async () => expect(await pods()).toEqual([]));
  });

  test("and fail are not made again and again", { timeout: PATIENT }, async () => {
    const server = await startTestServer({ profile: ["warm: 1"] });
    server.cluster.script = () => ({ exitCode: 1, runMilliseconds: 0 });
    await eventually(async () =>
      expect((await server.pods()).some(({ status }) => status?.phase === "Failed")).toBe(true),
    );
    const failed = (await server.pods()).length;
    await server.client().call("Config");
    expect((await server.pods()).length - failed).toBeLessThanOrEqual(2);
  });
});

test("a driver that ends at once says why, and is not tried again for each call", { timeout: PATIENT }, async () => {
  const server = await startTestServer();
  server.cluster.script = () => ({ exitCode: 127, runMilliseconds: 0 });
  const own = server.client();
  const first = await own.call("ExecutePlan");
  expect(first).toMatchObject({
    status: "9",
    message: expect.stringMatching(
      /^driver connect-small-[0-9a-f]{8} in namespace spark-jobs ended before it was ready: /,
    ) as string,
  });
  const calls = Array.from({ length: 10 }, () => own.call("ExecutePlan"));
  expect((await Promise.all(calls)).map(({ message }) => message)).toEqual(calls.map(() => first.message));
  expect(await server.pods()).toHaveLength(1);
});

test("a driver that is not ready in time lets the call say so", { timeout: PATIENT }, async () => {
  // Nothing listens at this port.
  const profiles = "profiles:\n  small: {namespace: spark-jobs, image: stub:1, command: [serve], port: 1}\n";
  const server = await startTestServer({ settings: ["--calls-start-wait", "1s"], profiles });
  const { status, message } = await server.client().call("ExecutePlan");
  expect([status, message]).toEqual(["14", expect.stringMatching(/is not ready: .*the call waited 1 s: try again$/)]);
});

test("a driver that vanishes ends its calls at once", { timeout: PATIENT }, async () => {
  const server = await startTestServer();
  server.driver.answer = () => undefined;
  const ended = server.client().call("ExecutePlan", { session: FIRST });
  await eventually(() => expect(server.driver.calls).toHaveLength(1));
  const [pod] = await server.pods();
  await server.cluster.send("DELETE", `/api/v1/namespaces/spark-jobs/pods/${pod?.metadata?.name}?gracePeriodSeconds=0`);
  expect(await ended).toMatchObject({ status: "14", message: "the connection to the session's driver broke" });
});

test("the next process finds the drivers of the one before", { timeout: PATIENT }, async () => {
  const before = await startTestServer();
  await before.client().call("ExecutePlan", { session: FIRST });
  await before.stop();
  const { cluster, driver } = before;
  const after = await startTestServer({ cluster, driver });
  expect(await after.client().call("ReattachExecute", { session: FIRST })).toMatchObject({ status: "0" });
  expect(await after.pods()).toHaveLength(1);
});

test("two services of one cluster leave each other's drivers alone", { timeout: PATIENT }, async () => {
  const first = await startTestServer({ settings: ["--service-name", "first"] });
  await first.client().call("ExecutePlan", { session: FIRST });
  const { cluster, driver } = first;
  const profiles = "profiles:\n  other: {namespace: spark-jobs, image: stub:1, command: [serve]}\n";
  const second = await startTestServer({ cluster, driver, profiles, settings: ["--service-name", "second"] });
  expect(await second.client().call("ReattachExecute", { session: FIRST })).toMatchObject({ status: "13" });
  const metrics = await (await fetch(new URL("metrics", second.adminUri))).text();
  expect(metrics).not.toContain("connect_drivers{");
  expect(await first.pods()).toHaveLength(1);
});

test("a process that stops tells calls that wait for a driver to come back", { timeout: PATIENT }, async () => {
  // Nothing listens at this port.
  const profiles = "profiles:\n  small: {namespace: spark-jobs, image: stub:1, command: [serve], port: 1}\n";
  const server = await startTestServer({ profiles, settings: ["--shutdown-grace", "1s"] });
  const waiting = server.client().call("ExecutePlan");
  await eventually(async () => expect(await server.pods()).toHaveLength(1));
  await server.stop();
  expect(await waiting).toMatchObject({ status: "14", message: "kindling-connect is being restarted" });
});

test("a process that stops lets calls end, and tells the others to come back", { timeout: PATIENT }, async () => {
  const server = await startTestServer({ settings: ["--shutdown-grace", "1s"] });
  const { answer } = server.driver;
  server.driver.answer = (call) => void setTimeout(() => answer(call), 300);
  const short = server.client().call("ExecutePlan", { session: FIRST });
  await eventually(() => expect(server.driver.calls).toHaveLength(1));
  server.driver.answer = () => undefined;
  const long = server.client().call("ExecutePlan", { session: FIRST });
  await eventually(() => expect(server.driver.calls).toHaveLength(2));
  await server.stop();
  expect(await short).toMatchObject({ status: "0" });
  expect(await long).toMatchObject({ status: "14", message: "kindling-connect is being restarted" });
});
