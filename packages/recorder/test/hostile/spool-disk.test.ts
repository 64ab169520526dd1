import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@kindling/test-kit/eventually";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { driverPod, NAMESPACE, recording } from "../support/recording.ts";

test("a disk that takes nothing for a while costs no line of a log: the recorder says so, and goes on", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(driverPod("daily").gated("example.com/later").build(), "Pending");
  const folder = join(scene.spoolFolder, driver.metadata?.uid ?? "");
  await eventually(() => access(join(folder, "driver.json")));
  await block(folder);
  await begin(cluster, driver);
  cluster.writeLog(driver, ["one", "two"]);
  await eventually(() => expect(scene.complaints.join()).toContain("cannot be"));
  cluster.writeLog(driver, ["three"]);
  await rm(join(folder, "logs"));
  await rm(join(folder, "logs.jsonl"), { recursive: true });
  cluster.writeLog(driver, ["four"]);
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run))).toEqual(["one", "two", "three", "four"]);
});

test("a disk that takes nothing more does not keep a recorder from ending", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(driverPod("daily").gated("example.com/later").build(), "Pending");
  const folder = join(scene.spoolFolder, driver.metadata?.uid ?? "");
  await eventually(() => access(join(folder, "driver.json")));
  await block(folder);
  await begin(cluster, driver);
  cluster.writeLog(driver, ["one", "two"]);
  await eventually(() => expect(scene.complaints.join()).toContain("logs cannot be written to the disk"));
  await expect(recorder.stop()).resolves.toBeUndefined();
});

/** Nothing can be written where something else is: neither files of logs, nor the file of the short ones. */
async function block(folder: string): Promise<void> {
  await rm(join(folder, "logs"), { recursive: true, force: true });
  await writeFile(join(folder, "logs"), "");
  await rm(join(folder, "logs.jsonl"), { force: true });
  await mkdir(join(folder, "logs.jsonl"));
}

async function begin(cluster: TestCluster, driver: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/daily`;
  await cluster.send("PATCH", path, { spec: { schedulingGates: null } });
  await cluster.inPhase(driver, "Running");
}
