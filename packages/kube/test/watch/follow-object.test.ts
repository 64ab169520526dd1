import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { beforeEach, expect, test } from "vitest";
import { followObject, resources, type KubeError } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { testClient } from "../fixtures/test-client.ts";

const POD = aPod("driver").in("spark-jobs").build();
const isWatch = ({ query }: SeenRequest): boolean => query.get("watch") === "true";

let cluster: TestCluster;
let troubles: KubeError[];

beforeEach(() => {
  troubles = [];
});

/** A cluster with a pod that stays pending until it is released. */
async function withPod(): Promise<void> {
  cluster = await TestCluster.start();
  cluster.hold();
  await cluster.createPod(POD, "Pending");
}

/** All reported phases, to the end. */
async function phases(onPhase: (phase: string | undefined) => void = () => {}): Promise<(string | undefined)[]> {
  const told: (string | undefined)[] = [];
  const client = testClient(cluster.url);
  const onTrouble = (error: KubeError): void => void troubles.push(error);
  const states = followObject(client, resources.pods, "driver", { namespace: "spark-jobs", intervalMs: 5, onTrouble });
  for await (const { status } of states) {
    if (told.at(-1) !== status?.phase || told.length === 0) told.push(status?.phase);
    onPhase(status?.phase);
  }
  return told;
}

const watching = (): Promise<void> => expect.poll(() => cluster.api.openWatches).toBe(1);

async function runAndDelete(): Promise<void> {
  cluster.release();
  await cluster.inPhase(POD, "Running");
  await cluster.delete(POD, { gracePeriodSeconds: 0 });
}

test("an object's states come one by one, until it is gone", async () => {
  await withPod();
  const told = phases();
  await watching();
  await runAndDelete();
  expect(await told).toEqual(["Pending", "Running"]);
});

test.each([
  ["has ended", undefined],
  ["was told that its version has expired", { code: 410, reason: "Expired" }],
  ["was broken off by a fault of the server", { code: 500, reason: "InternalError" }],
])("it is looked at again, and watched, when its watch %s", async (_, end) => {
  await withPod();
  const told = phases();
  await watching();
  cluster.api.endWatches(end);
  await expect.poll(() => cluster.api.requests.filter(isWatch).length).toBeGreaterThan(1);
  await watching();
  await runAndDelete();
  expect(await told).toEqual(["Pending", "Running"]);
  expect(troubles).toEqual([]);
});

test.each([[403], [405]])("it is looked at again and again where a watch is refused by %i", async (status) => {
  await withPod();
  cluster.api.fault = (request) => (isWatch(request) ? { kind: "status", status } : undefined);
  const told = phases();
  await expect.poll(() => cluster.api.requests.length).toBeGreaterThan(5);
  await cluster.delete(POD, { gracePeriodSeconds: 0 });
  expect(await told).toEqual(["Pending"]);
  expect(cluster.api.requests.filter(isWatch)).toHaveLength(1);
});

test("one that has not changed for long is watched from the version of a list", async () => {
  await withPod();
  const told = phases();
  await watching();
  await cluster.createPod(aPod("another").in("elsewhere").build(), "Pending");
  cluster.devCluster.faults.compact();
  cluster.api.endWatches();
  await expect.poll(() => cluster.api.requests.filter(isWatch).length).toBeGreaterThan(1);
  await watching();
  await runAndDelete();
  expect(await told).toEqual(["Pending", "Running"]);
  expect(troubles).toEqual([]);
});

test("it is looked at again and again where neither its old version nor a list may be had", async () => {
  await withPod();
  const isList = ({ path }: SeenRequest): boolean => path.endsWith("/pods");
  cluster.api.fault = (request) => {
    if (isWatch(request)) return { kind: "status", status: 410, reason: "Expired" };
    return isList(request) ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
  };
  const told = phases();
  await expect.poll(() => cluster.api.requests.length).toBeGreaterThan(6);
  await cluster.delete(POD, { gracePeriodSeconds: 0 });
  expect(await told).toEqual(["Pending"]);
  expect(cluster.api.requests.filter(isList)).toHaveLength(2);
  expect(troubles).toEqual([]);
});

test("a server that is away is asked until it is back, and the trouble is told once", async () => {
  await withPod();
  cluster.api.fault = () => ({ kind: "status", status: 503 });
  const told = phases();
  // More requests than the client's own repetitions.
  await expect.poll(() => cluster.api.requests.length).toBeGreaterThan(20);
  cluster.api.fault = () => undefined;
  await watching();
  await cluster.delete(POD, { gracePeriodSeconds: 0 });
  expect(await told).toEqual(["Pending"]);
  expect(troubles).toMatchObject([{ kind: "status", status: 503 }]);
});

test("what the server refuses for good rejects", async () => {
  await withPod();
  cluster.api.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized" });
  expect(await caught(phases())).toMatchObject({ kind: "status", status: 401 });
});
