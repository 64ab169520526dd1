import { describe, expect, test } from "vitest";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { caught } from "@kindling/test-kit/caught";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { follow, isLook, isWatch, phases, states } from "../fixtures/followed.ts";

const NOT_FOUND = { kind: "status", status: 404, reason: "NotFound" } as const;

describe("watching goes on", () => {
  test("when the server ends the watch, without telling a state twice", async () => {
    const { cluster, events, result, watching, run, finish } = await follow();
    for (let round = 0; round < 3; round++) {
      await watching();
      cluster.api.endWatches();
    }
    await watching();
    await run();
    cluster.api.endWatches();
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(phases(events)[0]).toBe("Pending");
    expect(new Set(phases(events)).size).toBe(phases(events).length);
    expect(new Set(states(events)).size).toBe(states(events).length);
  });

  test.each<[string, (cluster: TestCluster) => void]>([
    ["an expired version", ({ api }) => api.endWatches({ code: 410, reason: "Expired" })],
    ["a fault of the server", ({ api }) => api.endWatches({ code: 500, reason: "InternalError" })],
    ["a crash", ({ devCluster }) => void devCluster.faults.restart()],
  ])("when the server breaks it off for %s", async (_, breakOff) => {
    const { cluster, result, watching, finish } = await follow();
    await watching();
    breakOff(cluster);
    await watching();
    await finish(2);
    expect((await result).outcome).toMatchObject({ phase: "Failed", exitCode: 2 });
  });

  test("when the server has forgotten the history, though the pod has not changed since", async () => {
    const { cluster, result, watching, pod } = await follow({
      conf: { "spark.kubernetes.driver.scheduler.name": "nobody" },
    });
    await watching();
    const driver = await pod();
    await cluster.createPod(aPod("another").in("elsewhere").spec({ schedulerName: "nobody" }).build(), "Pending");
    cluster.devCluster.faults.compact();
    cluster.api.endWatches();
    await watching();
    expect(cluster.api.requests.filter(isWatch).length).toBeLessThan(5);
    await cluster.delete(driver);
    expect((await result).outcome).toEqual({ phase: "Deleted" });
  });

  test.each([[410], [429], [503]])("when the server refuses one by %i", async (status) => {
    let refused = 0;
    const { result, watching, finish } = await follow({}, ({ api }) => {
      api.fault = (request) =>
        isWatch(request) && refused++ < 10 ? { kind: "status", status, message: "not now" } : undefined;
    });
    await watching();
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
  });

  test("by asking where watching is not allowed", async () => {
    const { cluster, result, pod, finish } = await follow({}, ({ api }) => {
      api.fault = (request) =>
        isWatch(request) ? { kind: "status", status: 403, reason: "Forbidden", message: "no" } : undefined;
    });
    await pod();
    await expect.poll(() => cluster.api.requests.filter(isLook).length).toBeGreaterThan(5);
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(cluster.api.requests.filter(isWatch)).toHaveLength(1);
  });

  test.each<[string, () => Fault]>([
    ["answers with 503", () => ({ kind: "status", status: 503, message: "restarting" })],
    ["breaks every connection", () => ({ kind: "reset", carriedOut: false })],
  ])("when the server %s for a while, and the user is told", async (_, fault) => {
    const { cluster, events, result, watching, finish } = await follow();
    await watching();
    cluster.api.fault = fault;
    cluster.api.endWatches();
    const before = cluster.api.requests.length;
    // More than a client's own repetitions of a request.
    await expect.poll(() => cluster.api.requests.length).toBeGreaterThan(before + 20);
    cluster.api.fault = () => undefined;
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
    expect(notices).toEqual([expect.stringMatching(/^the driver pod cannot be looked at, and is tried again: .+/)]);
  });

  test.each([
    ["of an ingress that knows no pods", { kind: "status", status: 404 }],
    ["about something else", { ...NOT_FOUND, details: { kind: "namespaces", name: "n" } }],
  ] as const)("where a 404 comes %s, which does not say that the pod is gone", async (_, fault) => {
    const { cluster, events, result, watching, finish } = await follow();
    await watching();
    cluster.api.fault = () => fault;
    cluster.api.endWatches();
    await expect.poll(() => events.some(({ type }) => type === "notice")).toBe(true);
    cluster.api.fault = () => undefined;
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
  });

  test("but not without credentials that the server accepts", async () => {
    const { cluster, result, watching } = await follow();
    await watching();
    cluster.api.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized", message: "Unauthorized" });
    cluster.api.endWatches();
    expect((await caught(result)).code).toBe("CLUSTER_UNAUTHENTICATED");
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });
});
