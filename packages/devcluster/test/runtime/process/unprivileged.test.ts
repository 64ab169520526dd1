import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findTools } from "../../../src/runtime/process/host/tools.ts";
import { ClusterProcess, SCRIPT } from "./cluster-process.ts";
import { processesWith } from "./processes-with.ts";

const NOBODY = { uid: 65534, gid: 65534 };

/** Why a user without rights cannot be tested here; undefined if it can. */
function obstacle(): string | undefined {
  if (getuid?.() !== 0) return "the other tests have run as such a user";
  const sees = spawnSync(process.execPath, ["-e", `require("fs").readFileSync(${JSON.stringify(SCRIPT)})`], NOBODY);
  if (sees.status !== 0) return "it cannot read this folder";
  const spaces = spawnSync(findTools().unshare, ["--user", "--map-root-user", "true"], NOBODY);
  return spaces.status === 0 ? undefined : "it gets no user namespaces";
}

const why = obstacle();

describe.skipIf(why !== undefined)(`a user without rights${why === undefined ? "" : ` (not tried: ${why})`}`, () => {
  let folder: string;
  let cluster: ClusterProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "kindling-nobody-"));
    chmodSync(folder, 0o700);
    chownSync(folder, NOBODY.uid, NOBODY.gid);
    cluster = await ClusterProcess.start([join(folder, "state")], NOBODY);
  });
  afterAll(async () => {
    await cluster.kill("SIGTERM");
    rmSync(folder, { recursive: true });
  });

  test("has containers with the image's user, a host name and a process table of their own", async () => {
    const script =
      "echo $$$$ $(hostname) $(id -u):$(id -g) $PWD; touch mine; ls /opt/work; set -- /proc/[0-9]*; echo $#; echo end";
    expect(await cluster.logged("plain", script, "end")).toBe("1 plain 185:0 /opt/work\nmine\n1\nend\n");
  });

  test("has volumes, tokens, devices and hooks", async () => {
    const pod = {
      volumes: [
        { name: "it", emptyDir: {} },
        { name: "memory", emptyDir: { medium: "Memory" } },
      ],
      terminationGracePeriodSeconds: 5,
    };
    const container = {
      volumeMounts: [
        { name: "it", mountPath: "/it" },
        { name: "memory", mountPath: "/memory" },
      ],
      lifecycle: { postStart: { exec: { command: ["/bin/sh", "-c", "id -u > /it/hook"] } } },
    };
    const script =
      "until test -s /it/hook; do sleep 0.05; done; cat /it/hook; echo a > /memory/a; cat /memory/a; " +
      "wc -l < /var/run/secrets/kubernetes.io/serviceaccount/ca.crt | grep -q . && echo token; " +
      "head -c 3 /dev/zero | od -An -tx1; echo out > /dev/stdout; echo -n bye > /dev/termination-log; echo end";
    expect(await cluster.logged("volumes", script, "end", pod, container)).toBe("185\na\ntoken\n 00 00 00\nout\nend\n");
  });

  test("can be whom the pod says, root included", async () => {
    const as = (runAsUser: number): object => ({ securityContext: { runAsUser } });
    expect(await cluster.logged("other", "id -u; echo end", "end", as(1234))).toBe("1234\nend\n");
    expect(await cluster.logged("root", "id -u; echo end", "end", as(0))).toBe("0\nend\n");
  });

  test("leaves no process when the cluster is killed", async () => {
    const other = await ClusterProcess.start([join(folder, "other")], NOBODY);
    await other.logged("victim", "setsid sleep 4731.5 & echo up; sleep 4731.5", "up");
    expect(processesWith("4731.5").length).toBeGreaterThan(0);
    await other.kill("SIGKILL");
    await expect.poll(() => processesWith("4731.5")).toEqual([]);
  });

  test("is told what is in the way where there are no namespaces", async () => {
    // A user namespace in which no other can be created, and a root user without rights.
    const forbid =
      'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"';
    const through = ["unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh"];
    const refused = await ClusterProcess.start([join(folder, "none")], NOBODY, through);
    expect(refused.said).toMatch(
      /^KindlingError UNSUPPORTED: pods cannot run as processes: this machine does not let them have namespaces of their own: unshare: unshare failed: .* \(as root: sysctl -w user\.max_user_namespaces=15000\)$/,
    );
    expect(readdirSync(join(folder, "none"))).toEqual([]);
  });

  test("can be called root and have few rights, as in a container of another engine", async () => {
    const rights = "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+net_bind_service,+setfcap";
    const through = ["setpriv", `--bounding-set=${rights}`, "--inh-caps=-all"];
    const rightless = await ClusterProcess.start([], {}, through);
    expect(await rightless.logged("pod", "echo $$$$ $(id -u); echo end", "end")).toBe("1 185\nend\n");
    await rightless.kill("SIGTERM");
  });

  test("is told when its home cannot be written to", async () => {
    const refused = await ClusterProcess.start(["/usr/share/kindling-state"], NOBODY);
    expect(refused.said).toMatch(
      /^KindlingError FILE_UNREADABLE: the state folder \/usr\/share\/kindling-state cannot be used: .*\(use a state folder that can be written to\)$/,
    );
  });
});
