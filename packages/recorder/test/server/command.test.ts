import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { type RunningProcess, runningProcess } from "@kindling/test-kit/running-process";
import { expect, onTestFinished, test } from "vitest";
import { testFolder } from "../support/archives.ts";

const COMMAND = fileURLToPath(new URL("../../bin/kindling-recorder.cjs", import.meta.url));

async function start(kubeconfig: string, ...more: readonly string[]): Promise<RunningProcess> {
  const [archive, spool] = [await testFolder(), await testFolder()];
  const ports = ["--listen-port", "0", "--admin-port", "0"];
  const args = [...ports, "--store-path", archive, "--spool-path", spool, "--cluster-kubeconfig", kubeconfig, ...more];
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return runningProcess(child);
}

test("it ends when it is told to, also while somebody reads", async () => {
  const recorder = await start(kubeconfigFor(await TestCluster.start()));
  let said = "";
  recorder.child.stdout.on("data", (text: string) => (said += text));
  await recorder.saying('"msg":"recording"');
  const [, uri = ""] = /"uri":"([^"]+)"/.exec(said) ?? [];
  expect((await fetch(new URL("api/v1/runs", uri))).status).toBe(200);
  recorder.child.kill("SIGTERM");
  expect(await recorder.ended).toMatchObject({ code: 0 });
});

test("it says what it lacks before it does anything", async () => {
  const recorder = await start("nowhere", "--listen-host", "0.0.0.0");
  const { code, stderr } = await recorder.ended;
  expect(code).toBe(1);
  expect(stderr).toContain("auth.mode");
});
