import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { describe, expect, test } from "vitest";
import { isAlive, Machine } from "./support/dev-process.ts";

describe("kindling dev up", () => {
  test("leaves a cluster running that kubeconfig and Spark's configuration lead to", async () => {
    const machine = new Machine();
    const { code, stdout, stderr } = await machine.dev("up", "--nodes", "2", "--cpu", "3", "--memory", "5Gi");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`export KUBECONFIG=${machine.state}/kubeconfig`);
    expect(stdout).toContain(`export SPARK_CONF_DIR=${machine.state}/conf`);
    expect(stdout).toContain("  kindling dev down\n");
    const again = await machine.dev("up", "--state", machine.state);
    expect(again.stdout).toContain(`  kindling dev down --state ${machine.state}\n`);

    const kubeconfigPath = join(machine.state, "kubeconfig");
    const client = createKubeClient(await loadClusterAccess({ kubeconfigPath }), { namespace: "default" });
    const { items } = await client.listAll(resources.nodes);
    expect(items.map(({ status }) => [status?.capacity?.["cpu"], status?.capacity?.["memory"]])).toEqual([
      ["3", "5Gi"],
      ["3", "5Gi"],
    ]);
    expect((await client.get(resources.serviceaccounts, "spark")).metadata?.name).toBe("spark");

    const conf = readFileSync(join(machine.state, "conf", "spark-defaults.conf"), "utf8");
    expect(conf).toContain(String.raw`spark.kubernetes.container.image=apache/spark\:4.3.0`);
    const { spec } = await client.get(resources.services, "kubernetes");
    const master = `https\\://kubernetes.default.svc\\:${spec?.ports?.[0]?.port ?? 0}`;
    expect(conf).toContain(`spark.kubernetes.driver.master=${master}\n`);
    client.close();
    expect(conf).toContain("spark.kubernetes.authenticate.driver.serviceAccountName=spark");
  });

  test("C20: cluster and staging server are for the user who started them, on this machine", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const { url, staging } = await machine.status();
    expect([url, staging].map((uri) => new URL(uri).hostname)).toEqual(["127.0.0.1", "127.0.0.1"]);
    const bundles = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(new URL("api/v1/bundles", staging), { headers })).status;
    const token = readFileSync(join(machine.state, "staging-token"), "utf8").trim();
    expect([await bundles({}), await bundles({ authorization: `Bearer ${token}` })]).toEqual([401, 200]);
    for (const name of [".", "kubeconfig", "staging-token", "control.sock"]) {
      expect(statSync(join(machine.state, name)).mode & 0o077, name).toBe(0);
    }
    expect(readFileSync(join(machine.state, "dev.log"), "utf8")).not.toContain(token);
    await machine.dev("down");
    for (const name of ["kubeconfig", "staging-token"]) expect(existsSync(join(machine.state, name)), name).toBe(false);
  });

  test("twice is once", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const before = await machine.status();
    const { code, stdout, stderr } = await machine.dev("up", "--nodes", "3");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "it runs already; options apply from the next start on\n" });
    expect(stdout).toContain(before.url);
    expect((await machine.status()).pid).toBe(before.pid);
  });

  test("two at the same time are one, and the other says so", async () => {
    const machine = new Machine();
    const both = await Promise.all([machine.dev("up"), machine.dev("up")]);
    expect((await machine.status()).running).toBe(true);
    const refused = both.filter(({ code }) => code !== 0).map(({ stderr }) => stderr);
    expect(refused.length).toBeLessThan(2);
    expect(refused.filter((text) => !/^error: .* is used by another/.test(text))).toEqual([]);
  });
});

describe("kindling dev down", () => {
  test("ends the process and leaves nothing but logs and what is kept of applications", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const { pid, url } = await machine.status();
    expect(await machine.dev("down")).toEqual({ code: 0, stdout: "", stderr: "ended\n" });
    expect(isAlive(pid)).toBe(false);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect(
      readdirSync(machine.state).filter((name) => !/^(conf|dev\.log.*|runtime|archive|spool)$/.test(name)),
    ).toEqual([]);
    expect(readdirSync(join(machine.state, "conf"))).toEqual([]);
  });

  test("is no fault where nothing runs", async () => {
    const machine = new Machine();
    expect(await machine.dev("down")).toMatchObject({
      code: 0,
      stderr: `nothing runs with state folder ${machine.state}\n`,
    });
  });
});

describe("kindling dev status", () => {
  test("tells where everything is, in each format", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const status = await machine.status();
    expect(status).toMatchObject({ running: true, nodes: 1, kubeconfig: join(machine.state, "kubeconfig") });
    const { code, stdout } = await machine.dev("status");
    expect(code).toBe(0);
    expect(stdout).toContain(`running     since `);
    expect(stdout).toContain(`apache/spark:4.3.0 (${machine.spark})`);
    expect((await machine.dev("status", "-o", "yaml")).stdout).toContain(`pid: ${status.pid}\n`);
  });

  test("is 1 where nothing runs", async () => {
    const machine = new Machine();
    const { code, stdout } = await machine.dev("status");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `nothing runs with state folder ${machine.state}; kindling dev up starts it\n`,
    });
    expect(await machine.status()).toEqual({ running: false, stateFolder: machine.state });
  });
});

test("in the foreground it runs until it is interrupted, and ends cleanly", async () => {
  const machine = new Machine();
  const running = machine.start("up", "--foreground");
  await running.saying("Ctrl-C ends it.");
  expect((await machine.status()).pid).toBe(running.child.pid);
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 0 });
  expect((await machine.status()).running).toBe(false);
  expect(existsSync(join(machine.state, "kubeconfig"))).toBe(false);
});

test("a start that is interrupted leaves nothing", async () => {
  const machine = new Machine();
  const starting = machine.start("up");
  await expect.poll(() => existsSync(join(machine.state, "dev.log"))).toBe(true);
  starting.child.kill("SIGINT");
  const { code } = await starting.ended;
  // It may have been ready before the interrupt.
  expect([0, 130]).toContain(code);
  await machine.dev("down");
  expect((await machine.status()).running).toBe(false);
});

test("after kill -9 it is not running, and starts again", async () => {
  const machine = new Machine();
  await machine.dev("up");
  const { pid } = await machine.status();
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect((await machine.dev("status")).code).toBe(1);
  expect(await machine.dev("up")).toMatchObject({ code: 0, stderr: "" });
  const again = await machine.status();
  expect(again.pid).not.toBe(pid);
  const access = await loadClusterAccess({ kubeconfigPath: again.kubeconfig });
  const client = createKubeClient(access, { namespace: "default" });
  expect((await client.listAll(resources.namespaces)).items.length).toBeGreaterThan(0);
  client.close();
});
