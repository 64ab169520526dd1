import { systemClock, type Clock } from "@kindling/outside";
import { describe, expect, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { followLogs, leadWhileElected, resources } from "../../src/index.ts";
import { stored } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";
import { sendStatus } from "../fixtures/send-status.ts";
import { MALFORMED_OBJECTS } from "./malformed-answers.ts";

test.each(MALFORMED_OBJECTS.map((text) => [text.slice(0, 120), text]))(
  "a read that is answered with what was not asked for fails: %s",
  async (_shown, text) => {
    const stub = await startStub((_request, response) => response.end(text));
    const error = await caught(testClient(stub.url).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "protocol", mayHaveHappened: false });
  },
);

describe("discovery", () => {
  const thing = { name: "things", kind: "Thing", namespaced: true };
  const list = (resourcesOf: unknown): unknown => ({
    kind: "APIResourceList",
    groupVersion: "a.b/v1",
    resources: resourcesOf,
  });

  test.each([
    null,
    [],
    {},
    { resources: [thing] },
    list(undefined),
    list({}),
    list([null]),
    list([{ ...thing, name: 5 }]),
    list([{ ...thing, kind: null }]),
    list([{ ...thing, namespaced: "true" }]),
    list([{ ...thing, name: "../../secrets" }]),
    list([{ ...thing, name: ".." }]),
    list([{ ...thing, name: "things?watch=true" }]),
    { ...(list([thing]) as object), groupVersion: "other/v1" },
  ])("takes no %j", async (answer) => {
    const stub = await startStub((_request, response) => sendJson(response, answer));
    expect(await caught(testClient(stub.url).resourceFor("a.b/v1", "Thing"))).toMatchObject({ kind: "protocol" });
  });

  test("takes a list, and one that is empty as Go writes it", async () => {
    const stub = await startStub((request, response) =>
      sendJson(response, list(request.url.includes("a.b") ? [thing] : null)),
    );
    const client = testClient(stub.url);
    expect(await client.resourceFor("a.b/v1", "Thing")).toMatchObject({ plural: "things", namespaced: true });
  });
});

test.each([
  null,
  5,
  "x",
  [],
  { containerStatuses: 5 },
  { containerStatuses: [null, 5] },
  { containerStatuses: [{ state: 5 }] },
])("a log whose pod has the status %j ends", async (status) => {
  const stub = await startStub((request, response) => {
    if (request.url.includes("/log")) response.end("2026-01-01T00:00:00Z one\n");
    else sendJson(response, stored({ metadata: { name: "p" }, status }));
  });
  const lines: string[] = [];
  for await (const line of followLogs(testClient(stub.url), "p")) lines.push(line);
  expect(lines).toEqual(["one"]);
});

test.each([null, 5, [], { holderIdentity: 5, leaseDurationSeconds: "x" }, { leaseTransitions: {} }])(
  "a lease whose spec is %j ends no candidacy",
  async (spec) => {
    const stub = await startStub((_request, response) =>
      sendJson(response, stored({ metadata: { name: "lock", namespace: "default" }, spec }, resources.leases)),
    );
    const controller = new AbortController();
    let end: string | undefined;
    const leading = leadWhileElected(
      testClient(stub.url),
      { name: "lock", identity: "me", clock: fastClock(20) },
      (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
      controller.signal,
    ).then((how) => (end = how));
    await eventually("it has tried again and again, or given up", () => stub.requests.length > 3 || end !== undefined);
    controller.abort();
    await expect(leading).resolves.toMatch(/^(stopped|lost)$/);
  },
);

test("a server that advises to come back at once is not asked sooner than one that advises nothing", async () => {
  /**
   * How long the client waits before each repetition with this advice from the server; `Math.random` returns its highest
   * value.
   */
  const waits = async (advice: Record<string, string>): Promise<number[]> => {
    const stub = await startStub((_request, response) => sendStatus(response, 503, "", advice));
    const waited: number[] = [];
    const after: Clock["after"] = (milliseconds, callback) => {
      waited.push(milliseconds);
      return systemClock.after(0, callback);
    };
    const options = { clock: { ...systemClock, after }, random: () => 1, requestTimeoutMs: Infinity };
    const client = testClient(stub.url, { ...options, connectTimeoutMs: Infinity });
    await caught(client.get(resources.pods, "p"));
    return waited;
  };
  expect(await waits({ "retry-after": "0" })).toEqual([100, 200, 400, 800]);
  expect(await waits({})).toEqual([100, 200, 400, 800]);
  expect(await waits({ "retry-after": "2" })).toEqual([2_100, 2_200, 2_400, 2_800]);
});
