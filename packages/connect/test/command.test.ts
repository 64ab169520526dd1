import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { runningProcess } from "@kindling/test-kit/running-process";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";

const COMMAND = fileURLToPath(new URL("../bin/kindling-connect.cjs", import.meta.url));
const run = promisify(execFile);
const PROFILES = "profiles: {small: {namespace: spark-jobs, image: apache/spark:4.3.0}}";

test("the help names every setting", async () => {
  const { stdout } = await run(process.execPath, [COMMAND, "--help"]);
  expect(stdout).toMatch(/^Usage: kindling-connect/m);
  for (const flag of ["--profiles-file", "--auth-modes", "--drivers-key-file"]) expect(stdout).toContain(flag);
});

test("the command serves with a file of profiles, and stops when it is told to", async () => {
  const cluster = await TestCluster.start();
  const file = scratchFolder().write("profiles.yaml", PROFILES);
  const args = ["--profiles-file", file, "--listen-port", "0", "--admin-port", "0"];
  const child = spawn(process.execPath, [COMMAND, ...args, "--cluster-kubeconfig", kubeconfigFor(cluster)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await runningProcess(child).saying('"msg":"serving"');
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

test("an address that others can reach needs users and a certificate", async () => {
  const file = scratchFolder().write("profiles.yaml", PROFILES);
  const refused = run(process.execPath, [COMMAND, "--profiles-file", file, "--listen-host", "0.0.0.0"]);
  await expect(refused).rejects.toMatchObject({
    stderr: expect.stringContaining("auth.modes is not set, and 0.0.0.0 can be reached by others") as string,
  });
});
