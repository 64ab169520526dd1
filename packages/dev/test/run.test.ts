import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Machine, program } from "./support/dev-process.ts";

/**
 * A machine with a Spark that prints the file in the application's last argument from the localizer's place (Spark itself
 * copies it from there), and ends with an exit code.
 */
function machineWithSpark(exitCode: number): Machine {
  const machine = new Machine();
  program(join(machine.spark, "bin", "spark-submit"), `for last; do :; done; cat "${FILES}/$last"; exit ${exitCode}`);
  writeFileSync(join(machine.folder, "application.py"), "");
  writeFileSync(join(machine.folder, "text.txt"), "a file of this machine\n");
  return machine;
}

const FILES = "/var/spark-data/files";
const SUBMISSION = ["--", "--logs", "--files", "text.txt", "application.py", "text.txt"];

test("run starts a cluster, submits files of this machine, and ends the cluster", async () => {
  const machine = machineWithSpark(3);
  const { code, stdout, stderr } = await machine.dev("run", ...SUBMISSION);
  expect(stderr).toMatch(/^the cluster is up at https:[^]*Staged 2 files[^]*\nthe cluster has ended\n$/);
  expect(stdout).toBe("a file of this machine\n");
  expect(code).toBe(3);
  expect(machine.hasInstance()).toBe(false);
  expect(existsSync(join(machine.state, "kubeconfig"))).toBe(false);
});

test("run uses a cluster that is up, and leaves it up", async () => {
  const machine = machineWithSpark(0);
  await machine.dev("up");
  const { pid } = await machine.status();
  const { code, stdout } = await machine.dev("run", ...SUBMISSION);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "a file of this machine\n" });
  expect((await machine.status()).pid).toBe(pid);
});

test("run shows the driver's log unasked, for it is gone with the cluster", async () => {
  const machine = machineWithSpark(1);
  const { code, stdout, stderr } = await machine.dev("run", "application.py", "text.txt", "--", "--files", "text.txt");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "a file of this machine\n" });
  expect(stderr).not.toContain("kindling logs");
});

test("an interrupt that only run is sent ends it, and the cluster", async () => {
  const machine = machineWithSpark(0);
  program(join(machine.spark, "bin", "spark-submit"), "echo begun; exec sleep 600");
  const run = machine.start("run", "application.py");
  await run.saying("begun");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(machine.hasInstance()).toBe(false);
});
