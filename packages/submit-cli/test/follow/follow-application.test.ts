import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import type { SubmissionEvent, SubmissionResult } from "@kindling/submit";
import { caught } from "@kindling/test-kit/caught";
import { StubCluster, type SeenRequest } from "@kindling/test-kit/stub-cluster";
import { conf, ended, impatientClient, RUNNING, submitTo, type SubmitCall } from "../fixtures/submission.ts";

const NOT_FOUND = { kind: "status", status: 404, reason: "NotFound" } as const;
const OFTEN = conf({ "spark.kubernetes.report.interval": "5ms" });

interface Followed {
  readonly cluster: StubCluster;
  readonly events: SubmissionEvent[];
  readonly result: Promise<SubmissionResult>;
  /** The driver pod, as soon as it is there. */
  readonly pod: Promise<Pod>;
}

/** Submits and follows; the test lets the pod run. */
async function follow(call: SubmitCall = {}, prepare: (cluster: StubCluster) => void = () => {}): Promise<Followed> {
  const cluster = await StubCluster.start();
  prepare(cluster);
  const events: SubmissionEvent[] = [];
  const pod = new Promise<Pod>((resolve) => (cluster.onPod = resolve));
  const client = await impatientClient(cluster);
  const options = { client, wait: true, onEvent: (event: SubmissionEvent) => void events.push(event), ...call };
  const result = submitTo(cluster, { ...options, flags: [...OFTEN, ...(call.flags ?? [])] });
  // Whoever awaits it sees the failure; until then it is nobody's surprise.
  result.catch(() => undefined);
  return { cluster, events, result, pod };
}

function phases(events: readonly SubmissionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "state" ? [event.state.phase] : []));
}

const isWatch = ({ query }: SeenRequest): boolean => query.get("watch") === "true";
const isLook = (request: SeenRequest): boolean => request.method === "GET" && !isWatch(request);
const watching = (cluster: StubCluster): Promise<void> => expect.poll(() => cluster.openWatches).toBe(1);

describe("an application that ends", () => {
  test("well: each state is told once, then the end", async () => {
    const { cluster, events, result, pod } = await follow();
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.setStatus(await pod, RUNNING);
    cluster.setStatus(await pod, ended(0));
    const { outcome, application } = await result;
    expect(outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
    expect(phases(events)).toEqual(["Pending", "Running", "Succeeded"]);
    expect(events.map(({ type }) => type)).toEqual(["submitted", "state", "state", "state", "finished"]);
    expect(events.at(-1)).toMatchObject({ type: "finished", application, state: { phase: "Succeeded" } });
  });

  const sidecar = (exitCode: number): NonNullable<Pod["status"]>["containerStatuses"] =>
    ended(exitCode).containerStatuses?.map((status) => ({ ...status, name: "sidecar" }));

  test.each<[string, NonNullable<Pod["status"]>, object]>([
    ["with a code", ended(3), { phase: "Failed", exitCode: 3, reason: "Error" }],
    ["for want of memory", ended(137, "OOMKilled"), { phase: "Failed", exitCode: 137, reason: "OOMKilled" }],
    [
      "without a container",
      { phase: "Failed", reason: "Evicted" },
      { phase: "Failed", exitCode: 1, reason: "Evicted" },
    ],
    [
      "by a container beside the driver's",
      { phase: "Failed", containerStatuses: [...(sidecar(7) ?? []), ...(ended(0).containerStatuses ?? [])] },
      { phase: "Failed", exitCode: 1, reason: "Completed" },
    ],
    [
      "with only another container's code",
      { phase: "Failed", containerStatuses: sidecar(7) ?? [] },
      { phase: "Failed", exitCode: 7, reason: undefined },
    ],
  ])("badly, %s", async (_, status, outcome) => {
    const { cluster, result, pod } = await follow();
    cluster.setStatus(await pod, status);
    expect((await result).outcome).toEqual(outcome);
  });

  test("before it is looked at for the first time", async () => {
    const cluster = await StubCluster.start();
    cluster.onPod = (pod) => cluster.setStatus(pod, ended(0));
    expect((await submitTo(cluster, { wait: true })).outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
  });
});

describe("an application that is deleted", () => {
  test.each<[string, (cluster: StubCluster, pod: Pod) => void]>([
    ["while it runs", (cluster, pod) => cluster.setStatus(pod, RUNNING)],
    ["while it is pending", () => {}],
  ])("%s has neither succeeded nor failed", async (_, before) => {
    const { cluster, events, result, pod } = await follow();
    await watching(cluster);
    before(cluster, await pod);
    cluster.remove("Pod", (await pod).metadata?.name ?? "");
    expect((await result).outcome).toEqual({ phase: "Deleted" });
    expect(events.at(-1)?.type).toBe("finished");
  });

  test("and made anew under the same name by somebody else is deleted all the same", async () => {
    const { cluster, result, pod } = await follow();
    await watching(cluster);
    const { metadata, ...rest } = await pod;
    cluster.fault = (request) => (isWatch(request) ? { kind: "status", status: 403, message: "no" } : undefined);
    cluster.endWatches();
    cluster.put({ ...rest, metadata: { ...metadata, uid: "another" }, status: RUNNING });
    expect((await result).outcome).toEqual({ phase: "Deleted" });
  });
});

describe("watching goes on", () => {
  test("when the server ends the watch, without telling a state twice", async () => {
    const { cluster, events, result, pod } = await follow();
    for (let round = 0; round < 3; round++) {
      await watching(cluster);
      cluster.endWatches();
    }
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.endWatches();
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(phases(events)[0]).toBe("Pending");
    expect(new Set(phases(events)).size).toBe(phases(events).length);
  });

  test.each([
    ["an expired version", { code: 410, reason: "Expired" }],
    ["a fault of the server", { code: 500, reason: "InternalError" }],
  ])("when the server breaks it off for %s", async (_, error) => {
    const { cluster, result, pod } = await follow();
    await watching(cluster);
    cluster.endWatches(error);
    await watching(cluster);
    cluster.setStatus(await pod, ended(2));
    expect((await result).outcome).toMatchObject({ phase: "Failed", exitCode: 2 });
  });

  test.each([[410], [429], [503]])("when the server refuses one by %i", async (status) => {
    let refused = 0;
    const { cluster, result, pod } = await follow({}, (stub) => {
      stub.fault = (request) =>
        isWatch(request) && refused++ < 10 ? { kind: "status", status, message: "not now" } : undefined;
    });
    await watching(cluster);
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
  });

  test("by asking where watching is not allowed", async () => {
    const { cluster, result, pod } = await follow({}, (stub) => {
      stub.fault = (request) =>
        isWatch(request) ? { kind: "status", status: 403, reason: "Forbidden", message: "no" } : undefined;
    });
    await pod;
    await expect.poll(() => cluster.requests.filter(isLook).length).toBeGreaterThan(5);
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(cluster.requests.filter(isWatch)).toHaveLength(1);
  });

  test.each<[string, () => ReturnType<StubCluster["fault"]>]>([
    ["answers with 503", () => ({ kind: "status", status: 503, message: "restarting" })],
    ["breaks every connection", () => ({ kind: "reset", carriedOut: false })],
  ])("when the server %s for a while, and the user is told", async (_, fault) => {
    const { cluster, events, result, pod } = await follow();
    await watching(cluster);
    cluster.fault = fault;
    cluster.endWatches();
    const before = cluster.requests.length;
    // More than the client would repeat a request by itself.
    await expect.poll(() => cluster.requests.length).toBeGreaterThan(before + 20);
    cluster.fault = () => undefined;
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
    expect(notices).toEqual([expect.stringMatching(/^the driver pod cannot be looked at, and is tried again: .+/)]);
  });

  test.each([
    ["of an ingress that knows no pods", { kind: "status", status: 404 }],
    ["about something else", { ...NOT_FOUND, details: { kind: "namespaces", name: "n" } }],
  ] as const)("where a 404 comes %s, which does not say that the pod is gone", async (_, fault) => {
    const { cluster, events, result, pod } = await follow();
    await watching(cluster);
    cluster.fault = () => fault;
    cluster.endWatches();
    await expect.poll(() => events.some(({ type }) => type === "notice")).toBe(true);
    cluster.fault = () => undefined;
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
  });

  test("but not without credentials that the server accepts", async () => {
    const { cluster, result } = await follow();
    await watching(cluster);
    cluster.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized", message: "Unauthorized" });
    cluster.endWatches();
    expect((await caught(result)).code).toBe("CLUSTER_UNAUTHENTICATED");
    expect(cluster.objects("Pod")).toHaveLength(1);
  });
});

describe("the driver's log", () => {
  const lines = (events: readonly SubmissionEvent[]): string[] =>
    events.flatMap((event) => (event.type === "log" ? [event.line] : []));

  test("comes line by line while it is written, to its last line", async () => {
    const { cluster, events, result, pod } = await follow({ logs: true });
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.writeLog(await pod, "first", "zweite – größer");
    await expect.poll(() => lines(events)).toEqual(["first", "zweite – größer"]);
    cluster.setStatus(await pod, ended(0));
    await expect.poll(() => phases(events)).toContain("Succeeded");
    cluster.writeLog(await pod, "", "last");
    cluster.endLog(await pod);
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(lines(events)).toEqual(["first", "zweite – größer", "", "last"]);
    expect(events.at(-1)?.type).toBe("finished");
  });

  test("is not asked for before the container has started, nor without being wanted", async () => {
    const logRequests = ({ requests }: StubCluster): number =>
      requests.filter(({ path }) => path.endsWith("/log")).length;
    for (const logs of [true, false]) {
      const { cluster, result, pod } = await follow({ logs });
      await watching(cluster);
      expect(logRequests(cluster)).toBe(0);
      cluster.endLog(await pod);
      cluster.setStatus(await pod, logs ? { phase: "Failed", reason: "Evicted" } : ended(0));
      await result;
      expect(logRequests(cluster)).toBe(0);
    }
  });

  test("that cannot be read is a notice, and the application is followed without it", async () => {
    const { cluster, events, result, pod } = await follow({ logs: true }, (stub) => {
      stub.fault = ({ path }) =>
        path.endsWith("/log") ? { kind: "status", status: 403, message: "no logs for you" } : undefined;
    });
    cluster.setStatus(await pod, ended(0));
    expect((await result).outcome?.phase).toBe("Succeeded");
    expect(events).toContainEqual({ type: "notice", message: "the driver's log cannot be read: no logs for you" });
  });

  test("does not hold the end up where the pod is gone and nobody ends the log", async () => {
    const { cluster, events, result, pod } = await follow({ logs: true });
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.writeLog(await pod, "first");
    await expect.poll(() => lines(events)).toEqual(["first"]);
    cluster.remove("Pod", (await pod).metadata?.name ?? "");
    expect((await result).outcome).toEqual({ phase: "Deleted" });
  });

  test("ends with the following, also where that fails", async () => {
    const { cluster, events, result, pod } = await follow({ logs: true });
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.writeLog(await pod, "first");
    await expect.poll(() => lines(events)).toEqual(["first"]);
    cluster.fault = () => ({ kind: "status", status: 401, message: "Unauthorized" });
    cluster.endWatches();
    await caught(result);
    const told = events.length;
    cluster.writeLog(await pod, "late");
    cluster.endLog(await pod);
    await expect.poll(() => cluster.openLogs).toBe(0);
    expect(events.length).toBe(told);
  });
});

describe("an abort", () => {
  test("ends the following and leaves the application alone", async () => {
    const abort = new AbortController();
    const { cluster, events, result, pod } = await follow({ signal: abort.signal, logs: true });
    await watching(cluster);
    cluster.setStatus(await pod, RUNNING);
    cluster.writeLog(await pod, "first");
    await expect.poll(() => events.at(-1)?.type).toBe("log");
    abort.abort();
    expect((await caught(result)).code).toBe("INTERRUPTED");
    expect(cluster.contents).toHaveLength(4);
    expect(cluster.writes.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(events.at(-1)?.type).toBe("log");
  });
});

describe("what is not to be followed", () => {
  test.each<[string, SubmitCall]>([
    ["by the option", { wait: false }],
    [
      "by the configuration",
      { wait: "as configured", flags: conf({ "spark.kubernetes.submission.waitAppCompletion": "false" }) },
    ],
  ])("%s, is only submitted", async (_, call) => {
    const cluster = await StubCluster.start();
    expect((await submitTo(cluster, call)).outcome).toBeUndefined();
    expect(cluster.requests.filter(isLook)).toEqual([]);
  });

  test.each([
    ["spark.kubernetes.submission.waitAppCompletion", "perhaps", "true or false"],
    ["spark.kubernetes.report.interval", "often", "a duration such as 500ms, 30s or 5min"],
    ["spark.kubernetes.report.interval", "0s", "a positive duration"],
  ])("a bad %s is refused before anything is created", async (key, value, expected) => {
    const cluster = await StubCluster.start();
    const error = await caught(submitTo(cluster, { flags: conf({ [key]: value }) }));
    expect(error).toMatchObject({ code: "CONF_INVALID", message: `${key}: "${value}" is not ${expected}` });
    expect(cluster.writes).toEqual([]);
  });
});

test("an application that existed is followed to its end like any other", async () => {
  const cluster = await StubCluster.start();
  const flags = ["--submission-id", "etl-1"];
  cluster.onPod = (pod) => cluster.setStatus(pod, ended(4));
  await submitTo(cluster, { flags });
  const { existed, outcome } = await submitTo(cluster, { flags, wait: true });
  expect(existed).toBe(true);
  expect(outcome).toEqual({ phase: "Failed", exitCode: 4, reason: "Error" });
});
