import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { freePort } from "@kindling/test-kit/free-port";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConnectMachine, query } from "./support/connect-machine.ts";
import { Machine } from "./support/dev-process.ts";

describe("kindling dev connect", () => {
  test("serves Spark Connect until Ctrl-C, and ends the cluster that it has started", async () => {
    const machine = new ConnectMachine();
    const port = await freePort();
    const connect = machine.start("connect", "--port", String(port));
    await connect.saying("Ctrl-C ends it.");
    expect(await query(port)).toMatchObject({ status: "0", message: "" });
    connect.child.kill("SIGINT");
    const { code, stdout, stderr } = await connect.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`Spark Connect is at sc://localhost:${port}, on Spark 4.3.0.`);
    expect(stdout).toContain("  pip install pyspark-client==4.3.0\n");
    expect(stdout).toContain(`  export SPARK_REMOTE=sc://localhost:${port}\n`);
    expect(stderr).toMatch(/^the cluster is up at https:.*\nCtrl-C ends it\.\nthe cluster has ended\n$/);
    expect(machine.hasInstance()).toBe(false);
  });

  test("uses a cluster that is up, and leaves it up without its drivers", async () => {
    const machine = new ConnectMachine();
    await machine.dev("up");
    const { pid } = await machine.status();
    const [port, other] = [await freePort(), await freePort()];
    const connects = [port, other].map((one) => machine.start("connect", "--port", String(one)));
    for (const connect of connects) await connect.saying("Ctrl-C ends it.");
    expect(await query(port)).toMatchObject({ status: "0" });
    const [driver] = await machine.drivers();
    expect(await query(other)).toMatchObject({ status: "0" });
    expect(await machine.drivers()).toHaveLength(2);

    connects[1]?.child.kill("SIGINT");
    expect(await connects[1]?.ended).toMatchObject({ code: 0, stderr: "Ctrl-C ends it.\n" });
    expect(await machine.drivers()).toEqual([driver]);
    connects[0]?.child.kill("SIGINT");
    expect(await connects[0]?.ended).toMatchObject({ code: 0 });
    expect(await machine.drivers()).toEqual([]);
    expect((await machine.status()).pid).toBe(pid);
  });

  test("uses the driver again that one that was killed has left at its port", async () => {
    const machine = new ConnectMachine();
    await machine.dev("up");
    const port = await freePort();
    const first = machine.start("connect", "--port", String(port));
    await first.saying("Ctrl-C ends it.");
    await query(port);
    const drivers = await machine.drivers();
    first.child.kill("SIGKILL");
    await first.ended;
    const second = machine.start("connect", "--port", String(port));
    await second.saying("Ctrl-C ends it.");
    expect(await query(port)).toMatchObject({ status: "0" });
    expect(await machine.drivers()).toEqual(drivers);
    second.child.kill("SIGINT");
    await second.ended;
    expect(await machine.drivers()).toEqual([]);
  });

  test("runs a command with its address, whose exit code it has", async () => {
    const machine = new ConnectMachine();
    const command = ["sh", "-c", 'echo "$SPARK_REMOTE" "$@"; exit 7', "sh", "--port", "x"];
    const { code, stdout, stderr } = await machine.dev("connect", "--port", "0", "--", ...command);
    expect(code, stderr).toBe(7);
    expect(stdout).toMatch(/^sc:\/\/localhost:\d+ --port x\n$/);
    expect(stderr).toMatch(/\nthe cluster has ended\n$/);
    expect(machine.hasInstance()).toBe(false);
  });

  test("tells a command another port if the usual one is taken", async () => {
    const machine = new ConnectMachine();
    const server = createServer();
    onTestFinished(() => void server.close());
    // If that fails, somebody else has taken it.
    await new Promise<void>((resolve) => server.once("error", () => resolve()).listen(15_002, "127.0.0.1", resolve));
    const { code, stdout, stderr } = await machine.dev("connect", "--", "sh", "-c", 'echo "$SPARK_REMOTE"');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^sc:\/\/localhost:(?!15002)\d+\n$/);
    expect(stderr).toMatch(/^note: port 15002 is taken; the command finds another one in SPARK_REMOTE\n/);
  });

  test("gives drivers the user's folder, and configuration that sessions cannot set", async () => {
    const machine = new ConnectMachine();
    const port = await freePort();
    const conf = ["--conf", "spark.jars.packages=a:b:1", "--conf", "spark.executor.instances=3"];
    const connect = machine.start("connect", "--port", String(port), ...conf);
    await connect.saying("Ctrl-C ends it.");
    expect(await query(port)).toMatchObject({ status: "0" });
    const properties = readFileSync(join(machine.folder, "driver.properties"), "utf8").split("\n");
    expect(properties).toEqual(expect.arrayContaining(["spark.jars.packages=a\\:b\\:1", "spark.executor.instances=3"]));
    connect.child.kill("SIGINT");
    await connect.ended;
    expect(existsSync(join(machine.state, "connect", `dev-${port}`))).toBe(false);
  });

  test("says when the cluster has ended", async () => {
    const machine = new ConnectMachine();
    await machine.dev("up");
    const connect = machine.start("connect", "--port", "0");
    await connect.saying("Ctrl-C ends it.");
    await machine.dev("down");
    const { code, stderr } = await connect.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/\nerror: the cluster has ended, and Spark Connect with it\nhint: kindling dev connect /);
  });

  test("a driver that cannot start is told to its client", async () => {
    const machine = new ConnectMachine();
    writeFileSync(join(machine.spark, "bin", "driver.mjs"), "process.exit(3);");
    const port = await freePort();
    const connect = machine.start("connect", "--port", String(port));
    await connect.saying("Ctrl-C ends it.");
    const { status, message } = await query(port);
    expect(status).toBe("9");
    expect(message).toMatch(/^driver connect-dev-\w+ in namespace default ended before it was ready: /);
    connect.child.kill("SIGINT");
    await connect.ended;
  });
});

describe("it is refused before a cluster is started", () => {
  const refused = async (machine: Machine, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await machine.dev("connect", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .+\n(hint: .+\n)?$/);
    expect(machine.hasInstance()).toBe(false);
    return stderr;
  };

  test("if the port is taken", async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    expect(await refused(new Machine(), "--port", String(port))).toBe(
      `error: port ${port} of 127.0.0.1 is taken\n` +
        "hint: name another one with --port, or 0 for any free one; if kindling dev connect runs already, use that one\n",
    );
  });

  test("if Spark has no Connect server", async () => {
    const machine = new Machine();
    rmSync(join(machine.spark, "jars", "spark-core_2.13-4.3.0.jar"));
    writeFileSync(join(machine.spark, "jars", "spark-core_2.12-3.5.9.jar"), "");
    expect(await refused(machine, "--port", "0")).toBe(
      `error: Spark 3.5.9 (${machine.spark}) has no Connect server: Spark has it from 4.0 on\n` +
        "hint: name a newer one with --spark or --spark-home\n",
    );
  });

  test("if there is no Java", async () => {
    expect(await refused(new Machine("11.0.2"), "--port", "0")).toMatch(
      /^error: Spark 4\.3\.0 cannot run here: there is no Java 17 or newer: .*\nhint: install a newer Java/,
    );
  });

  test("if there is no Spark", async () => {
    const machine = new Machine();
    delete machine.env["SPARK_HOME"];
    expect(await refused(machine, "--port", "0")).toMatch(
      /^error: there is no Spark on this machine\nhint: pass --yes/,
    );
  });

  test.each([
    [["--port", "connect"], "error: --port connect: must be a number from 0 to 65535\n"],
    [["python"], 'error: kindling dev connect takes no "python" here\nhint: a command to run goes after --: '],
    [["--"], "error: which command? name it behind --, such as: kindling dev connect -- pyspark\n"],
    [["python", "-c", "1"], "error: Unknown option '-c'\nhint: a command to run goes after --, as in kindling dev "],
    [
      ["--conf", "spark.sql.ansi.enabled"],
      'error: --conf "spark.sql.ansi.enabled": must be a key of Spark and its value\nhint: write ',
    ],
    [["--gateway"], "error: Unknown option '--gateway'\n"],
  ])("for %j", async (args, message) => {
    expect(await refused(new Machine(), ...args)).toContain(message);
  });
});

describe("a cluster that is up", () => {
  test("must have the Spark that is wanted", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const { code, stderr } = await machine.dev("connect", "--port", "0", "--spark", "4.1");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "error: --spark 4.1: the cluster that is up runs on Spark 4.3.0\n" +
        "hint: leave --spark out, or end that cluster first: kindling dev down\n",
    });
    expect(machine.hasInstance()).toBe(true);
  });
});
