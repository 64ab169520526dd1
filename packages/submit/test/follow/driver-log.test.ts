import { describe, expect, test } from "vitest";
import type { SubmissionEvent } from "../../src/index.ts";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import { follow, phases } from "../fixtures/followed.ts";

const lines = (events: readonly SubmissionEvent[]): string[] =>
  events.flatMap((event) => (event.type === "log" ? [event.line] : []));

describe("the driver's log", () => {
  test("comes line by line while it is written, to its last line", async () => {
    const { cluster, events, result, watching, run, finish } = await follow({ logs: true });
    await watching();
    const pod = await run();
    cluster.writeLog(pod, ["first", "zweite – größer"]);
    await expect.poll(() => lines(events)).toEqual(["first", "zweite – größer"]);
    cluster.writeLog(pod, ["", "last"]);
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(lines(events)).toEqual(["first", "zweite – größer", "", "last"]);
    expect(events.at(-1)?.type).toBe("finished");
  });

  test("is told to its last line where it comes after the end", async () => {
    const told: SubmissionEvent[] = [];
    let release: () => void = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    const { cluster, result, watching, run, finish } = await follow(
      { logs: true, onEvent: (event) => void told.push(event) },
      ({ api }) => {
        api.fault = ({ path }) => (path.endsWith("/log") ? { kind: "wait", until } : undefined);
      },
    );
    await watching();
    cluster.writeLog(await run(), ["first", "", "last"]);
    await finish(0);
    await expect.poll(() => phases(told)).toContain("Succeeded");
    release();
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(lines(told)).toEqual(["first", "", "last"]);
    expect(told.at(-1)?.type).toBe("finished");
  });

  test("is not asked for before the container has started, nor without being wanted", async () => {
    const logRequests = ({ api }: TestCluster): number =>
      api.requests.filter(({ path }) => path.endsWith("/log")).length;
    for (const logs of [true, false]) {
      const conf: Record<string, string> = logs ? { "spark.kubernetes.driver.scheduler.name": "nobody" } : {};
      const { cluster, result, watching, pod, finish } = await follow({ logs, conf });
      await watching();
      expect(logRequests(cluster)).toBe(0);
      if (logs) await cluster.delete(await pod());
      else await finish(0);
      await result;
      expect(logRequests(cluster)).toBe(0);
    }
  });

  test("that cannot be read is a notice, and the application is followed without it", async () => {
    const { events, result, finish } = await follow({ logs: true }, ({ api }) => {
      api.fault = ({ path }) =>
        path.endsWith("/log") ? { kind: "status", status: 403, message: "no logs for you" } : undefined;
    });
    await finish(0);
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(events).toContainEqual({ type: "notice", message: "the driver's log cannot be read: no logs for you" });
  });

  test("does not hold the end up where the pod is gone and nobody ends the log", async () => {
    const { cluster, events, result, watching, run } = await follow({ logs: true }, ({ api }) => {
      api.fault = ({ path }) => (path.endsWith("/log") ? { kind: "endless" } : undefined);
    });
    await watching();
    const pod = await run();
    cluster.writeLog(pod, ["first"]);
    await expect.poll(() => lines(events)).toEqual(["first"]);
    await cluster.delete(pod, { gracePeriodSeconds: 0 });
    expect((await result).outcome).toEqual({ phase: "Deleted" });
  });

  test("ends with the following, also where that fails", async () => {
    const { cluster, events, result, watching, run } = await follow({ logs: true });
    await watching();
    const pod = await run();
    cluster.writeLog(pod, ["first"]);
    await expect.poll(() => lines(events)).toEqual(["first"]);
    cluster.api.fault = () => ({ kind: "status", status: 401, message: "Unauthorized" });
    cluster.api.endWatches();
    await caught(result);
    const told = events.length;
    cluster.writeLog(pod, ["late"]);
    cluster.end(pod, 0);
    await expect.poll(() => cluster.api.openLogs).toBe(0);
    expect(events.length).toBe(told);
  });
});

describe("an abort", () => {
  test("ends the following and leaves the application alone", async () => {
    const abort = new AbortController();
    const { cluster, events, result, watching, run } = await follow({ signal: abort.signal, logs: true });
    await watching();
    cluster.writeLog(await run(), ["first"]);
    await expect.poll(() => events.at(-1)?.type).toBe("log");
    abort.abort();
    expect((await caught(result)).code).toBe("INTERRUPTED");
    expect(await cluster.contents()).toHaveLength(4);
    expect(cluster.api.writes.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(events.at(-1)?.type).toBe("log");
  });
});
