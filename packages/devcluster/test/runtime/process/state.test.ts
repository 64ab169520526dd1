import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DevCluster, ProcessRuntime } from "../../../src/index.ts";
import { ClusterProcess } from "./cluster-process.ts";
import { processesWith } from "./processes-with.ts";
import { containersHere } from "./containers-here.ts";
import { ShellCluster, shellImages } from "./shell-cluster.ts";

describe.skipIf(containersHere.missing)(`the state folder${containersHere.note}`, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kindling-state-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("two clusters cannot use one state folder, and the second says who has it", async () => {
    const first = await ShellCluster.start({ stateFolder: folder });
    const second = ShellCluster.start({ stateFolder: folder });
    await expect(second).rejects.toMatchObject({
      code: "OBJECT_CONFLICT",
      message: `the state folder ${folder} is used by another cluster, process ${process.pid}`,
    });
    expect(await first.output("echo still here")).toBe("still here\n");
    await first.stop();
  });

  test("a cluster that ends leaves an empty state folder and no process", async () => {
    const cluster = await ShellCluster.start({ stateFolder: folder });
    const name = await cluster.script("sleep 4721.5 & echo up; wait");
    await cluster.logged(name, "up");
    await cluster.stop();
    expect(processesWith("4721.5")).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("without a state folder a temporary one is used, and removed", async () => {
    const before = new Set(readdirSync(tmpdir()));
    const cluster = await ShellCluster.start();
    expect(await cluster.output("echo runs")).toBe("runs\n");
    await cluster.stop();
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith("kindling-devcluster-") && !before.has(name));
    expect(left).toEqual([]);
  });

  test("a state folder that cannot be made or written to is named", async () => {
    writeFileSync(join(folder, "file"), "");
    const cluster = ShellCluster.start({ stateFolder: join(folder, "file", "state") });
    await expect(cluster).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining(join(folder, "file", "state")) as string,
      hint: "use a state folder that can be written to",
    });
  });

  test("addresses that are no loopback addresses, or another cluster's, are refused", async () => {
    const start = (addresses: string): Promise<ShellCluster> => ShellCluster.start({ addresses });
    await expect(start("10.1")).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
    const first = await start("127.30");
    await expect(start("127.30")).rejects.toMatchObject({
      code: "OBJECT_CONFLICT",
      message: "the addresses 127.30.* are used by another cluster",
    });
    await first.stop();
    const again = await start("127.30");
    await again.stop();
  });

  test("a host mount that is missing is refused before anything is made", async () => {
    const runtime = new ProcessRuntime({ images: [shellImages], stateFolder: folder, hostMounts: ["/no/such/place"] });
    await expect(DevCluster.start({ runtime })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("host mounts are seen where they are", async () => {
    writeFileSync(join(folder, "known"), "to all");
    const cluster = await ShellCluster.start({ hostMounts: [join(folder, "known")] });
    expect(await cluster.output(`cat ${join(folder, "known")}`)).toBe("to all\n");
    await cluster.stop();
  });

  describe("a cluster that is killed", () => {
    test("takes all its pods with it, and the next one cleans up", async () => {
      const cluster = await ClusterProcess.start([folder]);
      await cluster.logged("victim", "trap '' TERM; setsid sleep 4722.5 & echo up; sleep 4722.5", "up");
      expect(processesWith("4722.5").length).toBeGreaterThan(0);
      await cluster.kill("SIGKILL");
      await expect.poll(() => processesWith("4722.5")).toEqual([]);
      expect(readdirSync(join(folder, "pods")).length).toBe(1);
      const inMemory = (): string[] =>
        readdirSync("/dev/shm").filter((name) => name.startsWith(`kindling-${cluster.child.pid ?? 0}-`));
      const next = await ClusterProcess.start([folder]);
      expect(next.said).toMatch(/^http:/);
      expect(inMemory()).toEqual([]);
      expect(readdirSync(join(folder, "pods"))).toEqual([]);
      await next.kill("SIGTERM");
      expect(readdirSync(folder)).toEqual([]);
    });

    test("has processes ended by the next one that it could not end itself, and no others", async () => {
      const cluster = await ClusterProcess.start([folder]);
      await cluster.logged("victim", "echo up", "up");
      await cluster.kill("SIGKILL");
      // As if the kernel had not done its part: two processes that still run, and the record of one of them has a wrong start
      // time.
      const { spawn } = await import("node:child_process");
      const [left, other] = [spawn("sleep", ["4723.5"]), spawn("sleep", ["4723.6"])];
      const [pod = ""] = readdirSync(join(folder, "pods"));
      const startTime = readFileSync(`/proc/${left.pid ?? 0}/stat`, "utf8").split(" ")[21] ?? "";
      writeFileSync(join(folder, "pods", pod, "processes"), `${left.pid ?? 0} ${startTime}\n${other.pid ?? 0} 1\n`);
      const next = await ClusterProcess.start([folder]);
      await expect.poll(() => left.signalCode).toBe("SIGKILL");
      expect(other.signalCode).toBeNull();
      other.kill();
      await next.kill("SIGTERM");
      expect(existsSync(join(folder, "lock"))).toBe(false);
    });
  });
});
