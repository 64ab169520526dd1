import { afterEach, beforeEach, expect, test } from "vitest";
import { StubCluster } from "@kindling/test-kit/stub-cluster";
import { followObject, resources, type KubeError } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { testClient } from "../fixtures/test-client.ts";

const POD = { apiVersion: "v1", kind: "Pod", metadata: { name: "driver", namespace: "default", uid: "one" } };
const isWatch = ({ query }: { readonly query: URLSearchParams }): boolean => query.get("watch") === "true";

let cluster: StubCluster;
let troubles: KubeError[];

beforeEach(async () => {
  cluster = await StubCluster.start();
  cluster.put(POD);
  troubles = [];
});
afterEach(() => cluster.stop());

/** The phases that are told, to the end. */
async function phases(onPhase: (phase: string | undefined) => void = () => {}): Promise<(string | undefined)[]> {
  const told: (string | undefined)[] = [];
  const client = testClient(cluster.url);
  const onTrouble = (error: KubeError): void => void troubles.push(error);
  const states = followObject(client, resources.pods, "driver", { namespace: "default", intervalMs: 5, onTrouble });
  for await (const { status } of states) {
    if (told.at(-1) !== status?.phase || told.length === 0) told.push(status?.phase);
    onPhase(status?.phase);
  }
  return told;
}

const watching = (): Promise<void> => expect.poll(() => cluster.openWatches).toBe(1);

test("an object's states come one by one, until it is gone", async () => {
  const told = phases();
  await watching();
  cluster.put({ ...POD, status: { phase: "Running" } });
  cluster.remove("Pod", "driver");
  expect(await told).toEqual([undefined, "Running"]);
});

test.each([
  ["has ended", undefined],
  ["was told that its version has expired", { code: 410, reason: "Expired" }],
  ["was broken off by a fault of the server", { code: 500, reason: "InternalError" }],
])("it is looked at again, and watched, when its watch %s", async (_, end) => {
  const told = phases();
  await watching();
  cluster.endWatches(end);
  await expect.poll(() => cluster.requests.filter(isWatch).length).toBeGreaterThan(1);
  await watching();
  cluster.put({ ...POD, status: { phase: "Running" } });
  cluster.remove("Pod", "driver");
  expect(await told).toEqual([undefined, "Running"]);
  expect(troubles).toEqual([]);
});

test.each([[403], [405]])("it is looked at again and again where a watch is refused by %i", async (status) => {
  cluster.fault = (request) => (isWatch(request) ? { kind: "status", status } : undefined);
  const told = phases((phase) => phase === "Running" && cluster.remove("Pod", "driver"));
  await expect.poll(() => cluster.requests.length).toBeGreaterThan(5);
  cluster.put({ ...POD, status: { phase: "Running" } });
  expect(await told).toEqual([undefined, "Running"]);
  expect(cluster.requests.filter(isWatch)).toHaveLength(1);
});

test("a server that is away is asked until it is back, and the trouble is told once", async () => {
  cluster.fault = () => ({ kind: "status", status: 503 });
  const told = phases();
  // More than the client would repeat a request by itself.
  await expect.poll(() => cluster.requests.length).toBeGreaterThan(20);
  cluster.fault = () => undefined;
  await watching();
  cluster.remove("Pod", "driver");
  expect(await told).toEqual([undefined]);
  expect(troubles).toMatchObject([{ kind: "status", status: 503 }]);
});

test("what the server refuses for good rejects", async () => {
  cluster.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized" });
  expect(await caught(phases())).toMatchObject({ kind: "status", status: 401 });
});
