import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { applicationLog } from "../../src/index.ts";
import { follow } from "../fixtures/followed.ts";
import { impatientClient } from "../fixtures/submission.ts";
import { systemOutside } from "@kindling/outside";

const RESTART = "scheduler.kindling/driver-restart";
const FINALIZERS = { finalizers: ["scheduler.kindling/restart"] };

function pathOf({ metadata }: Pod): string {
  return `/api/v1/namespaces/${metadata?.namespace}/pods/${metadata?.name}`;
}

/** What the gateway does as soon as it sees a driver that wants restarts. */
async function hold(cluster: TestCluster, pod: Pod): Promise<void> {
  await cluster.send("PATCH", pathOf(pod), { metadata: { ...FINALIZERS, annotations: { [RESTART]: "onFailure" } } });
}

/** What the gateway does when a driver has failed: it creates another pod with the name. */
async function restart(cluster: TestCluster, pod: Pod): Promise<Pod> {
  await remove(cluster, pod);
  return await succeed(cluster, pod);
}

async function remove(cluster: TestCluster, pod: Pod): Promise<void> {
  const at = { "scheduler.kindling/restart-at": "2026-01-01T00:00:10.000Z" };
  await cluster.send("PATCH", pathOf(pod), { metadata: { annotations: at } });
  await cluster.send("DELETE", pathOf(pod), { gracePeriodSeconds: 0 });
  await cluster.send("PATCH", pathOf(pod), { metadata: { finalizers: null } });
}

async function succeed(cluster: TestCluster, pod: Pod): Promise<Pod> {
  const { name = "", namespace = "", labels = {} } = pod.metadata ?? {};
  const annotations = { [RESTART]: "onFailure", "scheduler.kindling/restarts": "1" };
  const metadata = { ...FINALIZERS, name, namespace, labels, annotations };
  const containers = [{ name: "spark-kubernetes-driver", image: "spark" }];
  return await cluster.createPod({ metadata, spec: { restartPolicy: "Never", containers } });
}

/** What the gateway does when no other driver follows. */
async function release(cluster: TestCluster, pod: Pod): Promise<void> {
  await cluster.send("PATCH", pathOf(pod), { metadata: { finalizers: null } });
}

test("an application whose driver is started again is followed to its own end", async () => {
  const { cluster, events, result, run } = await follow();
  const first = await run();
  await hold(cluster, first);
  cluster.end(first, 1);
  await cluster.inPhase(first, "Failed");
  const second = await restart(cluster, first);
  cluster.end(second, 0);
  await cluster.inPhase(second, "Succeeded");
  await release(cluster, second);
  expect((await result).outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
  expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toContain(
    "the driver ended with exit code 1, and the gateway starts it again at 2026-01-01T00:00:10.000Z",
  );
});

test("an application whose driver is not started again any more ends with its last driver", async () => {
  const { cluster, result, run } = await follow();
  const pod = await run();
  await hold(cluster, pod);
  cluster.end(pod, 3);
  await cluster.inPhase(pod, "Failed");
  await release(cluster, pod);
  expect((await result).outcome).toMatchObject({ phase: "Failed", exitCode: 3 });
});

/** Follows the log of a driver; `lines` grows. */
async function followLog(
  cluster: TestCluster,
  pod: Pod,
): Promise<{ readonly lines: readonly string[]; readonly reading: Promise<void> }> {
  const client = await impatientClient(cluster);
  const lines: string[] = [];
  const options = { follow: true, tell: () => {}, outside: systemOutside() };
  const reading = (async () => {
    for await (const line of applicationLog(client, pod, options)) lines.push(line);
  })();
  await expect.poll(() => lines.length).toBe(1);
  return { lines, reading };
}

test("the log of a driver that is started again goes on with the next one's", async () => {
  const { cluster, result, run } = await follow();
  cluster.script = () => ({ log: ["one line"] });
  const first = await run();
  await hold(cluster, first);
  const { lines, reading } = await followLog(cluster, first);
  cluster.end(first, 1);
  await cluster.inPhase(first, "Failed");
  const second = await restart(cluster, first);
  await expect.poll(() => lines.length).toBe(2);
  cluster.end(second, 0);
  await cluster.inPhase(second, "Succeeded");
  await release(cluster, second);
  await reading;
  expect((await result).outcome).toMatchObject({ phase: "Succeeded" });
});

test("a log goes on also if the reader finds no pod between two drivers", async () => {
  const { cluster, run } = await follow();
  cluster.script = () => ({ log: ["one line"] });
  const first = await run();
  await hold(cluster, first);
  const { lines, reading } = await followLog(cluster, first);
  let missed = 0;
  let goOn = (): void => {};
  const until = new Promise<void>((resolve) => (goOn = resolve));
  cluster.api.fault = ({ method, path, query }) => {
    if (method !== "GET" || path !== pathOf(first) || query.has("watch")) return undefined;
    missed += 1;
    return { kind: "wait", until };
  };
  cluster.end(first, 1);
  await cluster.inPhase(first, "Failed");
  await remove(cluster, first);
  goOn();
  await expect.poll(() => missed).toBeGreaterThan(2);
  const second = await succeed(cluster, first);
  await expect.poll(() => lines.length).toBe(2);
  cluster.end(second, 0);
  await cluster.inPhase(second, "Succeeded");
  await release(cluster, second);
  await reading;
});
