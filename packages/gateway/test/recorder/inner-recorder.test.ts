import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { freePort } from "@kindling/test-kit/free-port";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { memoryBeside } from "../../src/recorder/inner-recorder.ts";
import { FakeDriver } from "../support/fake-driver.ts";
import { GatewayProcess } from "../support/gateway-process.ts";
import { archiveAt, keptLog } from "../support/real-recorder.ts";

const COMMAND = fileURLToPath(new URL("../../bin/kindling-gateway.cjs", import.meta.url));
const run = promisify(execFile);

interface Place {
  readonly folder: string;
  readonly port: number;
}

function settingsOf({ folder, port }: Place): string {
  const stores = [`store.path=${join(folder, "archive")}`, `spool.path=${join(folder, "spool")}`];
  return [...stores, `listen.port=${port}`, "admin.port=0", "logs.tailInterval=1h"].join("\n");
}

test("a recorder inside of the gateway keeps the log of an executor whose pod its driver deletes at once", async () => {
  const cluster = await TestCluster.start();
  const folder = scratchFolder();
  const place = { folder: folder.path, port: await freePort() };
  const file = folder.write("recorder.properties", settingsOf(place));
  const start = async (): Promise<GatewayProcess> =>
    await GatewayProcess.start(cluster, { settings: ["--recorder-settings-file", file] });
  const gateway = await start();
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const executor = await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
  cluster.writeLog(executor, lines);
  cluster.end(executor, 1);
  await eventually(async () => {
    const { body } = await client.get(driver.path("pods", "drv-exec-1"));
    expect(body).toMatchObject({ status: { phase: "Failed" } });
  });
  expect((await client.delete(driver.path("pods", "drv-exec-1"))).status).toBe(200);
  await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  // The next process goes on with what this one leaves.
  expect(await gateway.stop()).toBe(0);
  await start();
  cluster.end(driver.pod, 0);

  const archive = archiveAt(`http://127.0.0.1:${place.port}`);
  expect(await keptLog(archive, "executor-1")).toEqual({ lines, gap: undefined });
});

test.each([
  {
    what: "a certificate, and the gateway does not know for which name",
    settings: ["tls.certFile=/tls.crt", "tls.keyFile=/tls.key"],
    message: /recorder\.uri is not set, and the recorder of \S+recorder\.properties has a certificate/,
  },
  {
    what: "a setting that there is not",
    settings: ["store.pth=/archive"],
    message: /recorder\.properties.*store\.pth/,
  },
])("the gateway does not start with a recorder that has $what", async ({ settings, message }) => {
  const cluster = await TestCluster.start();
  const folder = scratchFolder();
  const place = { folder: folder.path, port: await freePort() };
  const file = folder.write("recorder.properties", [settingsOf(place), ...settings].join("\n"));
  const own = ["--tls-plain-http", "true", "--cluster-kubeconfig", kubeconfigFor(cluster)];
  await expect(
    run(process.execPath, [COMMAND, ...own, "--recorder-settings-file", file], { timeout: 30_000 }),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) as string });
});

test("if the gateway cannot start, the recorder inside of it ends, too", async () => {
  const cluster = await TestCluster.start();
  const folder = scratchFolder();
  const place = { folder: folder.path, port: await freePort() };
  const file = folder.write("recorder.properties", settingsOf(place));
  const own = ["--tls-plain-http", "true", "--cluster-kubeconfig", kubeconfigFor(cluster)];
  // The recorder has this port by now.
  const ports = ["--listen-host", "127.0.0.1", "--listen-port", String(place.port), "--admin-port", "0"];
  await expect(
    run(process.execPath, [COMMAND, ...own, ...ports, "--recorder-settings-file", file], { timeout: 30_000 }),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("change listen.host or listen.port") as string });
});

test("the gateway leaves memory to the recorder in its process, and keeps half of a small container", () => {
  const recorder = { settings: {}, stop: async () => undefined };
  const mebibytes = (heap: number, beside: number) => ({ heap: heap * 1024 ** 2, beside: beside * 1024 ** 2 });
  expect(memoryBeside(undefined, mebibytes(600, 300))).toEqual(mebibytes(600, 300));
  expect(memoryBeside(recorder, mebibytes(600, 300))).toEqual(mebibytes(536, 252));
  expect(memoryBeside(recorder, mebibytes(100, 50))).toEqual(mebibytes(50, 25));
});
