import { check, constantFrom, jsonValue, letrec, oneof, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWatchLine } from "../../src/answers/watch-line.ts";
import { isExpired, isKubeError, resources, type WatchEvent } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";
import { MALFORMED_EVENTS, POD } from "./malformed-answers.ts";

const ASKED = { method: "GET", path: "/api/v1/namespaces/default/pods?watch=true" };
const GOOD = JSON.stringify({ type: "ADDED", object: POD });

async function collect(events: AsyncIterable<WatchEvent>, into: string[]): Promise<void> {
  for await (const event of events) into.push(event.type);
}

describe("a watch of a lying API server", () => {
  test.each(MALFORMED_EVENTS.map((line) => [line.slice(0, 120), line]))("fails at %s", async (_shown, line) => {
    const stub = await startStub((_request, response) => response.end(`${GOOD}\n${line}\n${GOOD}\n`));
    const seen: string[] = [];
    const error = await caught(collect(testClient(stub.url).watch(resources.pods, { namespace: "default" }), seen));
    expect(error).toMatchObject({ kind: "protocol", method: "GET", mayHaveHappened: false });
    expect(seen).toEqual(["ADDED"]);
  });

  test("that sends nothing but empty lines falls silent all the same", async () => {
    const stub = await startStub((_request, response) => {
      const timer = setInterval(() => response.write("\n\n"), 5);
      response.on("close", () => clearInterval(timer));
    });
    const watch = testClient(stub.url).watch(resources.pods, { idleTimeoutMs: 5_000 });
    expect(await caught(collect(watch, []))).toMatchObject({ kind: "timeout", phase: "idle" });
  });

  test("that sends one event for ever, byte by byte, falls silent all the same", async () => {
    const stub = await startStub((_request, response) => {
      response.write('{"type":"ADDED","object":{"x":"');
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
    });
    const watch = testClient(stub.url).watch(resources.pods, { idleTimeoutMs: 5_000 });
    expect(await caught(collect(watch, []))).toMatchObject({ kind: "timeout", phase: "idle" });
  });
});

describe("an event that a real API server sends is taken", () => {
  test.each([
    ["an object", { type: "DELETED", object: POD }, "DELETED"],
    ["an object without its kind", { type: "ADDED", object: { metadata: POD.metadata } }, "ADDED"],
    [
      "a bookmark with what Go leaves empty",
      {
        type: "BOOKMARK",
        object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "9", creationTimestamp: null } },
      },
      "BOOKMARK",
    ],
    [
      "labels that are null",
      { type: "ADDED", object: { ...POD, metadata: { ...POD.metadata, labels: null } } },
      "ADDED",
    ],
  ])("%s", (_what, event, type) => {
    expect(parseWatchLine(ASKED, JSON.stringify(event), resources.pods, "default").type).toBe(type);
  });

  test("an expiry", async () => {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 410, reason: "Expired" };
    const stub = await startStub((_request, response) =>
      response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`),
    );
    expect(isExpired(await caught(collect(testClient(stub.url).watch(resources.pods), [])))).toBe(true);
  });
});

/** JSON that is similar to an event. */
const nearEvent = letrec((tie) => ({
  value: oneof({ maxDepth: 2 }, jsonValue(), string(), tie("object")),
  object: record(
    {
      type: oneof(constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"), jsonValue()),
      object: tie("value"),
      kind: oneof(constantFrom("Pod", "Status"), jsonValue()),
      apiVersion: oneof(constantFrom("v1"), jsonValue()),
      metadata: tie("value"),
      name: tie("value"),
      uid: tie("value"),
      namespace: tie("value"),
      labels: tie("value"),
      resourceVersion: tie("value"),
      code: tie("value"),
      details: tie("value"),
      causes: tie("value"),
    },
    { requiredKeys: [] },
  ),
})).object;

test("no JSON at all makes anything of a watch but a well-formed event or an error of this package", () => {
  const isSafe = property(oneof(nearEvent, jsonValue()), (value) => {
    let event: WatchEvent;
    try {
      event = parseWatchLine(ASKED, JSON.stringify(value), resources.pods, "default");
    } catch (error) {
      return isKubeError(error) && (error.kind === "protocol" || error.kind === "status");
    }
    if (event.resourceVersion === "") return false;
    if (event.type === "BOOKMARK") return true;
    const { name = "", uid = "", labels = {} } = event.object.metadata ?? {};
    return name !== "" && uid !== "" && Object.values(labels).every((label) => typeof label === "string");
  });
  expect(check(isSafe, { numRuns: 300 }).counterexample).toBeNull();
});
