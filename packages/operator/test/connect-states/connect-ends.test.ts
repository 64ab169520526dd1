import type { SparkConnect, SparkConnectStatus } from "@kindling/spark-application";
import { aSparkConnect } from "@kindling/spark-application/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideConnect } from "../../src/connect-states/decide-connect.ts";
import type { ServerActivity } from "../../src/connect-states/server-activity.ts";
import { MINUTE, NOW, server, starting, view } from "./connect-views.ts";

function idling(timeout: string, status?: SparkConnectStatus, generation = 1): SparkConnect {
  const metadata = { annotations: { "operator.kindling/idle-timeout": timeout }, generation };
  return aSparkConnect({}, { metadata, ...(status !== undefined && { status }) });
}

function living(ttl: string): SparkConnect {
  // It was created an hour ago.
  return aSparkConnect({}, { metadata: { annotations: { "operator.kindling/ttl": ttl } } });
}

describe("the time to live", () => {
  test("the object is deleted when it is over", () => {
    expect(decideConnect(view(living("1h"), { server: server() }))).toMatchObject({
      action: { kind: "delete-connect", ttl: "1h" },
      events: [],
    });
    expect(decideConnect(view(living("30m"), { faults: ["no image"] })).action?.kind).toBe("delete-connect");
  });

  test("until then it is awaited", () => {
    const decision = decideConnect(view(living("90m"), { server: server() }));
    expect(decision).toMatchObject({ action: undefined, lookAgainAtMs: NOW + 30 * MINUTE });
  });

  test("a value that is none does nothing", () => {
    expect(decideConnect(view(living("soon"), { server: server() }))).toMatchObject({
      action: undefined,
      lookAgainAtMs: undefined,
    });
  });
});

describe("the idle timeout", () => {
  const ready = { server: server() };

  test("a server is not asked before it could be over", () => {
    expect(decideConnect(view(idling("2h"), ready))).toMatchObject({
      asksActivity: false,
      lookAgainAtMs: NOW + 60 * MINUTE,
    });
    expect(decideConnect(view(idling("1h"), { server: starting() })).asksActivity).toBe(false);
    expect(decideConnect(view(aSparkConnect(), ready)).asksActivity).toBe(false);
    expect(decideConnect(view(idling("30m"), ready))).toMatchObject({ asksActivity: true, action: undefined });
  });

  test.each<[string, ServerActivity, number]>([
    ["works", { kind: "busy" }, 30],
    ["worked ten minutes ago", { kind: "quiet", sinceMs: NOW - 10 * MINUTE }, 20],
    ["has a clock that is ahead", { kind: "quiet", sinceMs: NOW + 10 * MINUTE }, 30],
    ["does not tell", { kind: "unknown", why: "no answer" }, 1],
  ])("a server that %s goes on", (_what, activity, minutes) => {
    const decision = decideConnect(view(idling("30m"), { ...ready, activity }));
    expect(decision).toMatchObject({ action: undefined, status: { state: "Ready" } });
    expect(decision.lookAgainAtMs).toBe(NOW + minutes * MINUTE);
  });

  test.each<[string, number | undefined]>([
    ["has done nothing for half an hour", NOW - 30 * MINUTE],
    ["has never done anything", undefined],
  ])("a server that %s is stopped, first in the status", (_what, sinceMs) => {
    const decision = decideConnect(view(idling("30m"), { ...ready, activity: { kind: "quiet", sinceMs } }));
    expect(decision).toMatchObject({
      action: undefined,
      status: {
        state: "NotReady",
        conditions: [
          { type: "ServerPodReady", status: "False" },
          { type: "ServerStopped", status: "True", reason: "IdleTimeout", observedGeneration: 1 },
        ],
      },
      events: [{ type: "Normal", reason: "SparkConnectStopped" }],
    });
    expect(decision.events[0]?.message).toContain("nothing ran for 30m");
    const stopped = idling("30m", decision.status);
    expect(decideConnect(view(stopped, ready))).toMatchObject({ action: { kind: "delete-server" }, events: [] });
    const gone = decideConnect(view(stopped));
    expect(gone).toMatchObject({ action: undefined, events: [], status: { state: "NotReady", server: {} } });
    expect(gone.status.server?.podIp).toBeUndefined();
  });

  test("it starts again after a change of the spec, or without the annotation", () => {
    const activity = { kind: "quiet", sinceMs: undefined } as const;
    const { status } = decideConnect(view(idling("30m"), { ...ready, activity }));
    for (const connect of [idling("30m", status, 2), aSparkConnect({}, { status })]) {
      const decision = decideConnect(view(connect));
      expect(decision.action).toEqual({ kind: "make-server" });
      expect(decision.status.conditions).toContainEqual(
        expect.objectContaining({ type: "ServerStopped", status: "False", reason: "ServerStarted" }),
      );
    }
  });
});

test("a server is stopped only if it was ready and quiet for the whole time", () => {
  const minutes = fc.integer({ min: -10, max: 120 });
  const activities: fc.Arbitrary<ServerActivity> = fc.oneof(
    fc.constant<ServerActivity>({ kind: "not-asked" }),
    fc.constant<ServerActivity>({ kind: "busy" }),
    fc.constant<ServerActivity>({ kind: "unknown", why: "?" }),
    fc
      .option(minutes, { nil: undefined })
      .map((ago): ServerActivity => ({ kind: "quiet", sinceMs: ago === undefined ? undefined : NOW - ago * MINUTE })),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), minutes, activities, (timeout, readyAgo, activity) => {
      const pod = server({ readySinceMs: NOW - readyAgo * MINUTE });
      const { status, action, lookAgainAtMs, asksActivity } = decideConnect(
        view(idling(`${timeout}m`), { server: pod, activity }),
      );
      const quietAgo =
        activity.kind === "quiet" && activity.sinceMs !== undefined ? (NOW - activity.sinceMs) / MINUTE : 999;
      const isIdle = activity.kind === "quiet" && Math.min(readyAgo, quietAgo) >= timeout;
      expect(status.state).toBe(isIdle ? "NotReady" : "Ready");
      expect(action).toBeUndefined();
      // Somebody looks again, or the server is asked now, or it is over.
      expect(isIdle || asksActivity || (lookAgainAtMs ?? 0) > NOW).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
