import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { ManualClock, type Clock } from "@kindling/outside";
import { resources, startReflector, type KubeError, type Reflector } from "../../src/index.ts";
import { listOf } from "../fixtures/as-asked.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { sendJson, startStub, type Answer, type StubServer } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";
import { MALFORMED_EVENTS, MALFORMED_LISTS, POD } from "./malformed-answers.ts";

interface Scene {
  readonly stub: StubServer;
  readonly reflector: Reflector;
  readonly errors: KubeError[];
  /** How many lists the sink was given. */
  readonly lists: () => number;
  readonly requests: (kind: "list" | "watch") => number;
}

/** A reflector whose clock runs twenty times as fast, with a server that answers lists and watches as given. */
async function follow(list: Answer, watch: Answer, clock: Clock = fastClock(20)): Promise<Scene> {
  const stub = await startStub((request, response) => (isWatch(request.url) ? watch : list)(request, response));
  const errors: KubeError[] = [];
  let lists = 0;
  const reflector = startReflector(testClient(stub.url, { retry: { limit: 0 } }), resources.pods, {
    sink: { replace: () => void lists++, apply: () => undefined },
    clock,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => reflector.stop());
  const requests = (kind: "list" | "watch"): number =>
    stub.requests.filter(({ url }) => isWatch(url) === (kind === "watch")).length;
  return { stub, reflector, errors, lists: () => lists, requests };
}

function isWatch(url: string): boolean {
  return url.includes("watch=true");
}

const onePod: Answer = (_request, response) => sendJson(response, listOf([{ metadata: POD.metadata }]));
const staysOpen: Answer = (_request, response) => response.flushHeaders();
const bookmarkThenClose: Answer = (_request, response) =>
  response.end('{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}\n');

describe("a reflector at a lying API server", () => {
  test("lists again after each event that is none, and ends on account of none", async () => {
    const lines = MALFORMED_EVENTS.values();
    const watch: Answer = (_request, response) => response.write(`${lines.next().value ?? "null"}\n`);
    const { reflector, errors, lists } = await follow(onePod, watch, fastClock(2_000));
    await eventually("it met all of them", () => errors.length > MALFORMED_EVENTS.length);
    expect(lists()).toBeGreaterThanOrEqual(MALFORMED_EVENTS.length);
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(["protocol"]));
    await reflector.stop();
    await expect(reflector.ended).resolves.toBeUndefined();
  });

  test("takes no list that is none, and the first one that is one", async () => {
    const texts = MALFORMED_LISTS.values();
    const list: Answer = (request, response) => {
      const { value } = texts.next();
      if (value === undefined) onePod(request, response);
      else response.end(value);
    };
    const { reflector, errors, lists } = await follow(list, staysOpen, fastClock(2_000));
    await reflector.synced;
    expect(lists()).toBe(1);
    expect(errors).toHaveLength(MALFORMED_LISTS.length);
  });

  test("takes no list that it could not go on from", async () => {
    const lists = [listOf([{ metadata: { name: "p", uid: "" } }]), { ...listOf([]), metadata: {} }].values();
    const type = { ...resources.pods, group: "example.com" };
    const stub = await startStub((_request, response) =>
      sendJson(response, { ...lists.next().value, apiVersion: "example.com/v1" }),
    );
    const errors: KubeError[] = [];
    const sink = { replace: () => expect.unreachable(), apply: () => undefined };
    const options = { sink, clock: fastClock(100), onError: (error: KubeError) => errors.push(error) };
    const reflector = startReflector(testClient(stub.url), type, options);
    await eventually("it met both", () => errors.length >= 2);
    await reflector.stop();
    expect(errors[0]?.kind).toBe("protocol");
  });

  test.each([400, 404, 410, 422])("lists again when its resource version is answered with %i", async (status) => {
    let isRefused = true;
    const watch: Answer = (request, response) => {
      if (!isRefused) staysOpen(request, response);
      else sendStatus(response, status);
      isRefused = false;
    };
    const { reflector, requests } = await follow(onePod, watch);
    await eventually("it watches", () => requests("watch") === 2);
    expect(requests("list")).toBe(2);
    await eventually("it is current", () => reflector.isCurrent);
  });

  test("lists again when resource versions go back, as those of another cluster do", async () => {
    const bookmark = (version: number): string =>
      `${JSON.stringify({ type: "BOOKMARK", object: { kind: "Pod", metadata: { resourceVersion: String(version) } } })}\n`;
    const versions = [10, 99, 98].values();
    const { errors, requests } = await follow(onePod, (_request, response) => {
      for (const version of versions) response.write(bookmark(version));
      response.flushHeaders();
    });
    await eventually("it has listed again", () => requests("list") === 2);
    expect(errors[0]?.message).toContain("went back to an older resourceVersion");
  });

  test.each([
    ["ends each watch after an event", bookmarkThenClose],
    ["ends each watch without one", (_request, response) => response.end()],
    [
      "breaks each watch after an event",
      (_request, response) => {
        response.write('{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}\n', () =>
          setTimeout(() => response.socket?.resetAndDestroy(), 1),
        );
      },
    ],
    ["says of each watch that it has expired", (_request, response) => sendStatus(response, 410, "Expired")],
    ["sends each watch an event that is none", (_request, response) => response.write("null\n")],
  ] satisfies [string, Answer][])("asks less and less often one that %s", async (_what, watch) => {
    // A minute passes in a second and a quarter.
    const { requests } = await follow(onePod, watch, fastClock(50));
    await eventually("it was asked", () => requests("watch") > 1);
    await delay(1_250);
    // About ten are expected. On a slow machine there may be more, but never a hundred.
    expect(requests("watch")).toBeLessThan(100);
    expect(requests("list")).toBeLessThan(100);
  });

  test("does not slow down an honest one that ends its watches early now and then", async () => {
    let watches = 0;
    const watch: Answer = (request, response) => {
      // Each second one ends at once, the others last ten seconds.
      if (watches++ % 2 === 1) bookmarkThenClose(request, response);
      else {
        response.flushHeaders();
        setTimeout(() => response.end(), 200);
      }
    };
    const { requests } = await follow(onePod, watch, fastClock(50));
    // If the pauses grew, these watches would take longer than the test waits.
    await eventually("many watches", () => requests("watch") >= 60);
    expect(requests("list")).toBe(1);
  });
});

describe("a view is current", () => {
  test("from the first list on, and not before", async () => {
    let answer: (() => void) | undefined;
    const list: Answer = (request, response) => (answer = () => onePod(request, response));
    const { reflector } = await follow(list, staysOpen);
    await eventually("it was asked", () => answer !== undefined);
    expect(reflector.isCurrent).toBe(false);
    answer?.();
    await reflector.synced;
    expect(reflector.isCurrent).toBe(true);
  });

  test("while a watch is open that has nothing to say, and not once it cannot be opened any more", async () => {
    let isAway = false;
    let end = (): void => undefined;
    const watch: Answer = (_request, response) => {
      response.write('{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}\n');
      // "Away" is a server that accepts the request and does not answer.
      end = () => void response.end();
    };
    const sometimes: Answer = (request, response) => {
      if (!isAway) watch(request, response);
    };
    const clock = new ManualClock();
    const { reflector, requests } = await follow(onePod, sometimes, clock);
    await eventually("it watches", () => reflector.resourceVersion === "9");
    await clock.advance(60_000);
    expect(reflector.isCurrent).toBe(true);
    isAway = true;
    end();
    await eventually("the next watch is asked for", () => requests("watch") === 2);
    expect(reflector.isCurrent).toBe(true);
    await clock.advance(9_000);
    expect(reflector.isCurrent).toBe(true);
    await clock.advance(1_000);
    expect(reflector.isCurrent).toBe(false);
    expect(reflector.lastError).toBeUndefined();
  });

  test("not after a fault, until a list or an event has come", async () => {
    let isIll = false;
    const ill: Answer = (_request, response) => sendStatus(response, 500, "InternalError");
    const breakers: (() => void)[] = [];
    const watch: Answer = (_request, response) => {
      breakers.push(() => response.socket?.resetAndDestroy());
      response.flushHeaders();
    };
    const { reflector, lists } = await follow(onePod, (request, response) => (isIll ? ill : watch)(request, response));
    await eventually("it watches", () => breakers.length === 1);
    isIll = true;
    breakers[0]?.();
    await eventually("it knows of the fault", () => reflector.lastError !== undefined);
    expect(reflector.isCurrent).toBe(false);
    isIll = false;
    // The server would have sent missed events within seconds.
    await eventually("it has watched for a while", () => reflector.isCurrent);
    expect(breakers).toHaveLength(2);
    expect(lists()).toBe(1);
  });

  test("not once it has ended, whether it was stopped or its sink threw", async () => {
    const { reflector } = await follow(onePod, staysOpen);
    await reflector.synced;
    await reflector.stop();
    expect(reflector.isCurrent).toBe(false);

    const stub = await startStub((request, response) =>
      (isWatch(request.url) ? bookmarkThenClose : onePod)(request, response),
    );
    const broken = startReflector(testClient(stub.url), resources.pods, {
      sink: {
        replace: () => undefined,
        apply: () => {
          throw new Error("a bug in the sink");
        },
      },
    });
    await expect(broken.ended).rejects.toThrow("a bug in the sink");
    expect(broken.isCurrent).toBe(false);
  });
});

test("a sink is given of each object what it wants to keep, in lists and in events", async () => {
  const kept: unknown[] = [];
  const event = { type: "MODIFIED", object: { ...POD, status: { phase: "Running" } } };
  const stub = await startStub((request, response) => {
    if (isWatch(request.url)) response.write(`${JSON.stringify(event)}\n`);
    else onePod(request, response);
  });
  const reflector = startReflector(testClient(stub.url), resources.pods, {
    keep: ({ metadata, status }) => ({ metadata: { name: metadata?.name }, phase: status?.phase }),
    sink: { replace: (items) => void kept.push(...items), apply: (one) => void kept.push(one) },
  });
  await eventually("it saw both", () => kept.length === 2);
  await reflector.stop();
  expect(kept).toEqual([
    { metadata: { name: "p" }, phase: undefined },
    { type: "MODIFIED", resourceVersion: "7", object: { metadata: { name: "p" }, phase: "Running" } },
  ]);
});
