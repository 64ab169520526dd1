import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import type { FakeDriver } from "../../support/fake-driver.ts";

const SPARK = "spark-kubernetes-executor";

/** An executor with a heap of 1024 MiB in 1408 MiB, and two tasks at a time, as Spark asks for it. */
export function wantedExecutor(driver: FakeDriver, id: number): Pod {
  const resources = { requests: { memory: "1408Mi" }, limits: { memory: "1408Mi" } };
  const env = [
    { name: "SPARK_EXECUTOR_CORES", value: "2" },
    { name: "SPARK_EXECUTOR_MEMORY", value: "1024m" },
  ];
  return driver.executor(id, { spec: { containers: [{ name: SPARK, image: "spark", env, resources }] } });
}

/**
 * The web UI of a driver on this machine; the test ends it.
 *
 * @param executors what it lists, each time that it is asked for this path
 * @returns its port
 */
export async function startWebUi(executors: (path: string) => unknown): Promise<number> {
  const ui = createServer((request, response) => response.end(JSON.stringify(executors(request.url ?? ""))));
  await new Promise<void>((resolve) => ui.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void ui.close());
  return (ui.address() as AddressInfo).port;
}

/** Gives a driver's pod the address of this machine. */
export async function onThisMachine(cluster: TestCluster, driver: FakeDriver): Promise<void> {
  const path = `${driver.path("pods", "drv")}/status`;
  await cluster.send("PATCH", path, { status: { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] } });
}
