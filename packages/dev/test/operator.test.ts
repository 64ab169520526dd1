import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Machine, program } from "./support/dev-process.ts";

const APPLICATION = `
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: pi}
spec:
  type: Python
  mode: cluster
  sparkVersion: 4.3.0
  image: apache/spark:4.3.0
  mainApplicationFile: local:///opt/spark/pi.py
  driver: {cores: 1, memory: 512m, serviceAccount: spark-operator-spark}
  executor: {cores: 1, memory: 512m, instances: 1}
`;

/** A machine with an application in a file, and a Spark with a driver that prints where it would ask for executors. */
function machineWithApplication(): Machine {
  const machine = new Machine();
  const script = 'while [ "$1" != "--properties-file" ]; do shift; done; grep driver.master "$2"';
  program(join(machine.spark, "bin", "spark-submit"), script);
  writeFileSync(join(machine.folder, "pi.yaml"), APPLICATION);
  return machine;
}

describe("kindling dev up --operator", () => {
  test("runs a SparkApplication, whose driver finds the API server where it is", async () => {
    const machine = machineWithApplication();
    const up = await machine.dev("up", "--operator");
    expect(up, up.stderr).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toContain("An operator runs SparkApplications: kindling app create FILE\n");
    expect((await machine.dev("status")).stdout).toContain("operator    runs SparkApplications");
    const created = await machine.kindling("app", "create", "pi.yaml", "--wait");
    expect(created, created.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("created") as string });
    const list = await machine.kindling("app", "list");
    expect(list.stdout).toMatch(/^pi .*COMPLETED/m);
    const logs = await machine.kindling("app", "logs", "pi");
    expect(logs.stdout, logs.stderr).toMatch(/driver\.master=https\\:\/\/kubernetes\.default\.svc\\:\d+/);
    expect(await machine.dev("down")).toMatchObject({ code: 0, stderr: "ended\n" });
  });

  test("with a gateway, the driver is told to ask there", async () => {
    const machine = machineWithApplication();
    await machine.dev("up", "--operator", "--gateway");
    const { gateway } = await machine.status();
    const created = await machine.kindling("app", "create", "pi.yaml", "--wait");
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const logs = await machine.kindling("app", "logs", "pi");
    expect(logs.stdout.replaceAll("\\", ""), logs.stderr).toContain(new URL(gateway?.uri ?? "").host);
  });

  test("without it, there is nobody for objects, and the answer says so", async () => {
    const machine = machineWithApplication();
    await machine.dev("up");
    const created = await machine.kindling("app", "create", "pi.yaml");
    expect(created.code).not.toBe(0);
    expect(created.stderr).toMatch(/SparkApplication/);
  });
});
