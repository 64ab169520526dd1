import type { ServerResponse } from "node:http";
import { check, constantFrom, jsonValue, letrec, oneof, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { parseListAnswer } from "../../src/answers/list-answer.ts";
import { isKubeError, resources, type ListOptions, type ResourceType } from "../../src/index.ts";
import { listOf, stored } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub, type StubServer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";
import { MALFORMED_LISTS } from "./malformed-answers.ts";

const ASKED = { method: "GET", path: "/api/v1/namespaces/default/pods" };

describe("a list of a lying API server", () => {
  test.each(MALFORMED_LISTS.map((text) => [text.slice(0, 120), text]))("fails: %s", async (_shown, text) => {
    const stub = await startStub((_request, response) => response.end(text));
    const error = await caught(testClient(stub.url).listAll(resources.pods, { namespace: "default" }));
    expect(error).toMatchObject({ kind: "protocol", method: "GET", mayHaveHappened: false });
  });
});

describe("a list that a real API server sends is taken", () => {
  const metrics: ResourceType = {
    group: "metrics.k8s.io",
    version: "v1beta1",
    plural: "pods",
    kind: "PodMetrics",
    namespaced: true,
  };

  test.each([
    ["an empty one, as Go writes it", resources.pods, listOf(null), 0],
    [
      "one whose items name their kind",
      resources.pods,
      { ...listOf([]), items: [stored({ metadata: { name: "p" } })] },
      1,
    ],
    ["one of anything", resources.pods, { ...listOf([{ metadata: { name: "p" } }]), kind: "List" }, 1],
    [
      "one of what is computed and has neither uids nor versions",
      metrics,
      {
        kind: "PodMetricsList",
        apiVersion: "metrics.k8s.io/v1beta1",
        metadata: {},
        items: [{ metadata: { name: "p" } }],
      },
      1,
    ],
  ])("%s", async (_what, type, list, length) => {
    const stub = await startStub((_request, response) => sendJson(response, list));
    expect((await testClient(stub.url).listAll(type)).items).toHaveLength(length);
  });
});

/** A server with endless lists: each page says that there is one more. */
function endless(items: number, token: (page: number) => string): Promise<StubServer> {
  let page = 0;
  return startStub((_request, response) => {
    const pods = Array.from({ length: items }, (_, index) => ({ metadata: { name: `p-${page}-${index}` } }));
    sendJson(response, listOf(pods, { continue: token(page++) }));
  });
}

describe("a list that never ends", () => {
  const cases: readonly [
    what: string,
    items: number,
    token: (page: number) => string,
    limits: ListOptions["limits"],
  ][] = [
    ["for its pages", 0, (page) => `t${page}`, { pages: 20 }],
    ["for its items", 50, (page) => `t${page}`, { items: 200 }],
    ["for its bytes", 50, (page) => `t${page}`, { bytes: 20_000 }],
    ["when it comes back to where it was", 1, () => "again", undefined],
    ["when it goes in a circle", 1, (page) => `t${page % 3}`, undefined],
  ];
  test.each(cases)("is given up %s", async (_what, items, token, limits) => {
    const stub = await endless(items, token);
    const error = await caught(testClient(stub.url).listAll(resources.pods, { limits }));
    expect(error.kind).toBe("protocol");
    expect(stub.requests.length).toBeLessThan(30);
  });

  test("is given up for its time, of which a slow reader's own does not count", async () => {
    const clock = new ManualClock();
    const answer = (response: ServerResponse): void =>
      sendJson(response, listOf([], { continue: `t${stub.requests.length}` }));
    const stub = await startStub((_request, response) => void clock.advance(1_000).then(() => answer(response)));
    const pages = testClient(stub.url, { clock }).list(resources.pods, { limits: { milliseconds: 3_000 } });
    const error = await caught(
      (async () => {
        for await (const _page of pages) await clock.advance(60_000);
      })(),
    );
    expect(error).toMatchObject({ kind: "timeout", phase: "answer", milliseconds: 3_000 });
    expect(stub.requests).toHaveLength(3);
  });

  test("has limits without anybody asking for them", async () => {
    const stub = await endless(0, (page) => `t${page}`);
    const error = await caught(testClient(stub.url).listAll(resources.pods, { pageSize: 10_000 }));
    expect(error).toMatchObject({ kind: "protocol" });
    expect(error.message).toContain("the list does not end after 200 pages");
  });

  test("starts again once, and not for ever, where each page is said to have expired", async () => {
    const stub = await startStub((request, response) => {
      if (request.url.includes("continue=")) sendStatus(response, 410, "Expired");
      else sendJson(response, listOf([], { continue: "t" }));
    });
    expect(await caught(testClient(stub.url).listAll(resources.pods))).toMatchObject({ kind: "status", status: 410 });
    expect(stub.requests).toHaveLength(4);
  });

  test("does not fill the memory with one page", async () => {
    const stub = await startStub((_request, response) => {
      response.write('{"kind":"PodList","items":["');
      const more = (): void =>
        void (response.destroyed || response.write("x".repeat(65_536), () => setImmediate(more)));
      more();
    });
    const error = await caught(testClient(stub.url).listAll(resources.pods, { limits: { pageBytes: 1_000_000 } }));
    expect(error).toMatchObject({ kind: "protocol" });
    expect(error.message).toContain("the answer is longer than 1000000 bytes");
  });
});

test("a list of as many pods as the largest clusters have passes", async () => {
  const PODS = 150_000;
  const stub = await startStub((request, response) => {
    const query = new URL(request.url, "http://x").searchParams;
    const start = Number(query.get("continue") ?? 0);
    const end = Math.min(PODS, start + Number(query.get("limit")));
    const pods = Array.from({ length: end - start }, (_, index) => ({ metadata: { name: `p-${start + index}` } }));
    sendJson(response, listOf(pods, end < PODS ? { continue: String(end) } : {}));
  });
  let count = 0;
  for await (const page of testClient(stub.url).list(resources.pods)) count += page.items.length;
  expect(count).toBe(PODS);
}, 60_000);

const nearList = letrec((tie) => ({
  value: oneof({ maxDepth: 2 }, jsonValue(), string(), tie("list")),
  list: record(
    {
      kind: oneof(constantFrom("PodList", "List", "Pod"), jsonValue()),
      apiVersion: oneof(constantFrom("v1"), jsonValue()),
      metadata: tie("value"),
      items: oneof(constantFrom(null, [], [{}], [null]), tie("value")),
      continue: tie("value"),
      resourceVersion: tie("value"),
      uid: tie("value"),
      name: tie("value"),
    },
    { requiredKeys: [] },
  ),
})).list;

test("no JSON at all makes anything of a list but a well-formed one or an error of this package", () => {
  const isSafe = property(oneof(nearList, jsonValue()), (value) => {
    try {
      const { items, resourceVersion } = parseListAnswer(ASKED, JSON.stringify(value), resources.pods, "default");
      return resourceVersion !== undefined && items.every(({ metadata }) => (metadata?.uid ?? "") !== "");
    } catch (error) {
      return isKubeError(error) && error.kind === "protocol";
    }
  });
  expect(check(isSafe, { numRuns: 1_000 }).counterexample).toBeNull();
});
