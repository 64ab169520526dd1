import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { expect, test } from "vitest";
import { isAlive } from "./support/dev-process.ts";
import { DriverMachine, PROPERTY_OF } from "./support/driver-machine.ts";

/** A driver that says something and writes an event log where it is told to. */
const DRIVER = `${PROPERTY_OF}
import { mkdirSync, writeFileSync } from "node:fs";
const id = property("spark.app.id");
const folder = property("spark.eventLog.dir").replace("file:", "") + "/eventlog_v2_" + id;
mkdirSync(folder);
writeFileSync(folder + "/appstatus_" + id, "");
writeFileSync(folder + "/events_1_" + id, '{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}\\n');
console.log("the answer is 42");
`;

/** A driver that runs until it is ended. */
const ENDLESS = `console.log("it has begun"); setInterval(() => undefined, 1000);`;

const WITHOUT_WAITING = ["--conf", "spark.kubernetes.submission.waitAppCompletion=false"];

interface ListedRun {
  readonly name: string;
  readonly state: string;
  readonly eventLog?: string;
}

/** What `kindling history` lists, with the kubeconfig alone. */
async function listed(machine: DriverMachine): Promise<readonly ListedRun[]> {
  const { code, stdout, stderr } = await machine.withKubeconfig("history", "-o", "json");
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { items: ListedRun[] }).items;
}

/** Each of these tests runs many commands, one after the other. */
const LONG = { timeout: 240_000 };

async function deletePods(machine: DriverMachine): Promise<void> {
  const kubeconfigPath = join(machine.state, "kubeconfig");
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath }), { namespace: "default" });
  const { items } = await client.listAll(resources.pods);
  for (const { metadata } of items) await client.delete(resources.pods, metadata?.name ?? "");
  client.close();
}

test("what an application said and cost is there when its pods are gone, and after the next start", LONG, async () => {
  const machine = new DriverMachine(DRIVER);
  expect((await machine.dev("up")).stderr).toBe("");
  expect((await machine.dev("status")).stdout).toContain(`history     ${join(machine.state, "archive")}\n`);
  for (const count of [1, 2]) {
    expect(await machine.submit("etl")).toMatchObject({ code: 0 });
    await deletePods(machine);
    await expect.poll(() => listed(machine)).toHaveLength(count);
  }
  await machine.dev("down");
  await machine.dev("up");

  expect(await listed(machine)).toMatchObject([
    { name: "etl", state: "succeeded", eventLog: expect.stringMatching(/^eventlog_v2_/) as string },
    { name: "etl", state: "succeeded" },
  ]);
  const log = await machine.withKubeconfig("logs", "etl");
  expect(log).toMatchObject({ code: 0, stdout: "the answer is 42\n" });
  const status = await machine.withKubeconfig("status", "etl");
  expect(status.stdout, status.stderr).toContain("State        succeeded, exit code 0");
  const diff = await machine.withKubeconfig("diff", "etl");
  expect(diff.stdout, diff.stderr).toContain("their configurations are equal");
  const cost = await machine.withKubeconfig("cost", "--by", "name", "-o", "csv");
  expect(cost.stdout, cost.stderr).toMatch(/^etl,2,/m);
  const all = await machine.withKubeconfig("history", "-A");
  expect(all.stdout, all.stderr).toMatch(/^default +etl /m);
});

test("the log of an application that ran when kindling dev ended is kept", LONG, async () => {
  const machine = new DriverMachine(ENDLESS);
  await machine.dev("up");
  expect(await machine.submit("endless", ...WITHOUT_WAITING)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
  await machine.dev("down");
  await machine.dev("up");
  expect(await listed(machine)).toMatchObject([{ name: "endless", state: "failed" }]);
  expect((await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
});

test("after kill -9 in the middle of a run, the next start keeps what was said until then", LONG, async () => {
  const machine = new DriverMachine(ENDLESS);
  await machine.dev("up");
  expect(await machine.submit("endless", ...WITHOUT_WAITING)).toMatchObject({ code: 0 });
  const isOnDisk = (): boolean =>
    readdirSync(join(machine.state, "spool"), { recursive: true, encoding: "utf8" }).some((path) =>
      path.endsWith("/logs/driver/state.json"),
    );
  await expect.poll(isOnDisk).toBe(true);
  const { pid } = await machine.status();
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await machine.dev("up")).toMatchObject({ code: 0, stderr: "" });
  await expect.poll(() => listed(machine)).toMatchObject([{ name: "endless", state: "lost" }]);
  expect((await machine.withKubeconfig("logs", "endless")).stdout).toBe("it has begun\n");
});
