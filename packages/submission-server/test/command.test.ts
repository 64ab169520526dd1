import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { type RunningProcess, runningProcess } from "@kindling/test-kit/running-process";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import { piOf } from "./support/submissions.ts";

const COMMAND = fileURLToPath(new URL("../bin/kindling-serve.cjs", import.meta.url));
const run = promisify(execFile);

interface Served {
  readonly uri: string;
  readonly adminUri: string;
}

/** Starts the command before a cluster, and waits until it serves. */
async function serve(cluster: TestCluster, ...lines: readonly string[]): Promise<Served & { own: RunningProcess }> {
  const settings = ["listen.port=0", "admin.port=0", `cluster.kubeconfig=${kubeconfigFor(cluster)}`, ...lines];
  const file = scratchFolder().write("serve.properties", settings.join("\n"));
  const child = spawn(process.execPath, [COMMAND, "--config", file], {
    env: { ...process.env, KINDLING_SERVE_CLUSTER_NAMESPACES: "spark-jobs" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const own = runningProcess(child);
  await own.saying('"msg":"the applications have been listed"');
  const line = said.split("\n").find((each) => each.includes('"msg":"serving"')) ?? "{}";
  return { ...(JSON.parse(line) as Served), own };
}

async function submit({ uri }: Served, submissionId: string): Promise<number> {
  const response = await fetch(new URL("api/v1/submissions", uri), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(piOf({ submissionId })),
  });
  await response.text();
  return response.status;
}

test("the help names every setting", async () => {
  const { stdout } = await run(process.execPath, [COMMAND, "--help"]);
  expect(stdout).toMatch(/^Usage: kindling-serve/m);
  for (const flag of ["--auth-modes", "--cluster-namespaces", "--limits-submissions"]) expect(stdout).toContain(flag);
});

test("the command submits with a file's defaults, and stops when it is told to", async () => {
  const cluster = await TestCluster.start();
  const defaults = scratchFolder().write("defaults.conf", "spark.kubernetes.driver.label.by=defaults\n");
  const served = await serve(cluster, `submit.defaultsFile=${defaults}`);
  expect((await fetch(new URL("readyz", served.adminUri))).status).toBe(200);
  expect(await submit(served, "a")).toBe(201);
  expect((await cluster.driver()).metadata?.labels).toMatchObject({ by: "defaults" });
  served.own.child.kill("SIGTERM");
  expect((await served.own.ended).code).toBe(0);
});

test("when it is killed in the middle, the same submissions again give each application once", async () => {
  const cluster = await TestCluster.start();
  const first = await serve(cluster);
  const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
  const sent = ids.map((id) => submit(first, id).catch(() => 0));
  await eventually(async () => expect((await cluster.objects("Pod")).length).toBeGreaterThan(5));
  first.own.child.kill("SIGKILL");
  const statuses = await Promise.all(sent);
  expect(statuses).toContain(0);
  const second = await serve(cluster);
  const again = await Promise.all(ids.map((id) => submit(second, id)));
  expect(again.every((status) => status === 200 || status === 201)).toBe(true);
  expect(await cluster.objects("Pod")).toHaveLength(ids.length);
  // Each has all of its objects, no matter when the first call was cut off.
  for (const kind of ["ConfigMap", "Service"] as const) expect(await cluster.objects(kind)).toHaveLength(ids.length);
});
