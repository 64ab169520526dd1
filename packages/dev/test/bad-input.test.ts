import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Machine } from "./support/dev-process.ts";

describe("a start that cannot be says why, and leaves nothing running", () => {
  const refused = async (machine: Machine, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await machine.dev("up", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^(note: .*\n)?error: .+\n(hint: .+\n)?$/);
    expect(machine.hasInstance()).toBe(false);
    return stderr;
  };

  test("the port is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const said = await refused(new Machine(), "--port", String(port));
    expect(said).toContain(
      `error: port ${port} of 127.0.0.1 is taken\nhint: choose another port, or 0 for any free one`,
    );
  });

  test("this is no Linux", async () => {
    const machine = new Machine();
    machine.env["NODE_OPTIONS"] =
      "--import data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})";
    expect(await refused(machine)).toMatch(
      /^error: .* Linux, and this is darwin\nhint: .*container .*README of @kindling\/dev/,
    );
  });

  test("there is no Java, which is told before a Spark is fetched", async () => {
    const machine = new Machine("11.0.2");
    delete machine.env["SPARK_HOME"];
    expect(await refused(machine, "--yes")).toMatch(/^error: Spark 4.0 cannot run here: there is no Java 17 or newer/);
  });

  test("there is no Spark, and nobody who could be asked", async () => {
    const machine = new Machine();
    delete machine.env["SPARK_HOME"];
    expect(await refused(machine)).toBe(
      "error: there is no Spark on this machine\n" +
        "hint: pass --yes to fetch it from PyPI, name one with --spark-home or SPARK_HOME, or install pyspark\n",
    );
  });

  test("there is another Spark", async () => {
    const machine = new Machine();
    expect(await refused(machine, "--spark", "3.5")).toContain(
      `error: Spark 3.5 is not on this machine, only 4.3.0 (${machine.spark})\n`,
    );
  });

  test("PyPI cannot be reached", async () => {
    const machine = new Machine();
    delete machine.env["SPARK_HOME"];
    machine.env["PIP_INDEX_URL"] = "http://127.0.0.1:9/simple";
    const { code, stderr } = await machine.dev("up", "--yes");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^there is no Spark on this machine: fetching the newest from PyPI into .*\nerror: cannot look for pyspark at 127\.0\.0\.1:9: /,
    );
  });

  test("--spark-home names no Spark", async () => {
    expect(await refused(new Machine(), "--spark-home", "bin")).toMatch(
      /error: --spark-home .*\/bin: it holds no Spark/,
    );
  });

  test("SPARK_HOME names no Spark, which is said before another one is taken", async () => {
    const machine = new Machine();
    machine.env["SPARK_HOME"] = "/nowhere";
    expect(await refused(machine)).toMatch(
      /^note: SPARK_HOME \/nowhere: it is ignored: it holds no Spark, .*\nerror: there is no Spark/,
    );
  });

  test.each([
    [undefined, "no java on the PATH"],
    ["11.0.2", "java on the PATH is 11.0.2 (/usr/java)"],
  ])("Java is %s", async (version, why) => {
    expect(await refused(new Machine(version ?? "none"), "--state", "s")).toContain(
      version === undefined
        ? "Spark 4.3.0 cannot run here: there is no Java 17 or newer"
        : `error: Spark 4.3.0 cannot run here: there is no Java 17 or newer: ${why}\n`,
    );
  });

  test.skipIf(process.getuid?.() === 0)("the state folder cannot be written to", async () => {
    const machine = new Machine();
    const folder = join(machine.folder, "closed");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(await refused(machine, "--state", join(folder, "state"))).toContain(
      "error: cannot write to the state folder",
    );
  });

  test("the state folder is a file", async () => {
    const machine = new Machine();
    writeFileSync(join(machine.folder, "file"), "");
    expect(await refused(machine, "--state", "file/state")).toMatch(
      /^error: cannot write to the state folder .*\/file\/state: .*\nhint: name another one with --state/,
    );
  });

  test.each([
    [["--port", "http"], "--port http: must be a number from 0 to 65535"],
    [["--nodes", "0"], "--nodes 0: must be a number from 1 to 1000"],
    [["--cpu", "many"], "--cpu many: must be a quantity such as 4, 500m or 8Gi"],
    [["--spark", "new"], "--spark new: must be a version such as 4.3.0 or 3.5"],
    [["--state="], "--state names no folder"],
    [["--colour"], "Unknown option '--colour'"],
    [["something"], "up takes no operands: something"],
  ])("%j", async (args, message) => {
    expect(await refused(new Machine(), ...args)).toContain(`error: ${message}`);
  });
});

test("other commands refuse what they do not know as well", async () => {
  const machine = new Machine();
  expect((await machine.dev("status", "-o", "xml")).stderr).toBe(
    "error: --output xml: must be one of text, json, yaml\n",
  );
  expect((await machine.dev("run")).stderr).toContain("error: run needs an application to submit\nhint: ");
  expect((await machine.dev("run", "--")).stderr).toContain("error: run needs an application to submit");
  for (const name of ["run", "watch"]) {
    expect((await machine.dev(name, "--logs", "app.py")).stderr).toMatch(
      new RegExp(
        `^error: Unknown option '--logs'\nhint: options of kindling submit go after --, as in kindling dev ${name} `,
      ),
    );
  }
  expect((await machine.dev("app.py")).stderr).toContain("hint: did you mean kindling dev run app.py?");
  const { code, stderr } = await machine.dev("sideways");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: there is no command 'sideways'\nhint: kindling dev --help/);
});

test.each(["up", "status", "down", "run", "connect"])("%s --help tells of it, with an example", async (name) => {
  const { code, stdout } = await new Machine().dev(name, "--help");
  expect(code).toBe(0);
  expect(stdout).toContain(`Usage: kindling dev ${name} [flags]`);
  expect(stdout).toMatch(new RegExp(`Examples:\n {2}kindling dev ${name}`));
  expect(stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
});
