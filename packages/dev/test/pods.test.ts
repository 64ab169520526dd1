import { type KubeObjectLike, createKubeClient, loadClusterAccess, resources, type KubeClient } from "@kindling/kube";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isAlive, Machine } from "./support/dev-process.ts";

async function clientOf(machine: Machine): Promise<KubeClient> {
  const access = await loadClusterAccess({ kubeconfigPath: join(machine.state, "kubeconfig") });
  const client = createKubeClient(access, { namespace: "default" });
  onTestFinished(() => client.close());
  return client;
}

function pod(name: string, image: string): KubeObjectLike {
  const spec = { containers: [{ name: "main", image }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, ...{ spec } };
}

/** A pod with an image that the user has registered; it prints hello and waits. */
async function startPod(machine: Machine, client: KubeClient, seconds: string): Promise<void> {
  writeFileSync(join(machine.folder, "greet.sh"), `echo hello\nexec sleep ${seconds}\n`);
  const images = { "greeter:*": { folder: machine.folder, at: "/srv", entrypoint: ["sh", "/srv/greet.sh"] } };
  writeFileSync(join(machine.state, "images.json"), JSON.stringify(images));
  await client.create(resources.pods, pod("greeter", "greeter:1"));
  await expect.poll(async () => (await client.get(resources.pods, "greeter")).status?.phase).toBe("Running");
}

/** The processes with an argument. */
function processesWith(argument: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  });
}

test("a pod is a process, which down ends", async () => {
  const machine = new Machine();
  await machine.dev("up");
  const client = await clientOf(machine);
  await startPod(machine, client, "86401.5");
  expect((await machine.dev("status")).stdout).toContain(`greeter:* (${machine.folder})`);
  await expect.poll(() => processesWith("86401.5")).not.toEqual([]);
  await machine.dev("down");
  expect(processesWith("86401.5")).toEqual([]);
});

test("no pod outlives a cluster that is killed, and the next one starts without it", async () => {
  const machine = new Machine();
  await machine.dev("up");
  await startPod(machine, await clientOf(machine), "86402.5");
  const { pid } = await machine.status();
  await expect.poll(() => processesWith("86402.5")).not.toEqual([]);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect.poll(() => processesWith("86402.5")).toEqual([]);
  expect((await machine.dev("up")).code).toBe(0);
  expect((await (await clientOf(machine)).listAll(resources.pods)).items).toEqual([]);
});

test("an image that nobody knows is named in the pod's events, with those that there are", async () => {
  const machine = new Machine();
  await machine.dev("up");
  const client = await clientOf(machine);
  await client.create(resources.pods, pod("unknown", "busybox:1"));
  const waiting = async (): Promise<string | undefined> =>
    (await client.get(resources.pods, "unknown")).status?.containerStatuses?.[0]?.state?.waiting?.reason;
  await expect.poll(waiting).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
  const { items } = await client.listAll(resources.events);
  const messages = items.map((event) => (event as { message?: string }).message ?? "");
  expect(messages.find((message) => message.includes("busybox:1 on this machine"))).toContain(
    `apache/spark:4.3.0 (${machine.spark})`,
  );
});
