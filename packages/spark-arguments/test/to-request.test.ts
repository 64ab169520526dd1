import { describe, expect, test } from "vitest";
import { systemClock, type Env } from "@kindling/outside";
import { configure, deploymentOf, type Configuration } from "@kindling/submit";
import { parseArguments, toRequest } from "../src/index.ts";
import { caughtFrom } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

function merged(args: readonly string[], env: Env = {}, cwd = "/"): Configuration {
  const outside = { clock: systemClock, env, cwd };
  return configure(toRequest(parseArguments(args)), outside, "this-machine");
}

/** Variables that replace flags, with the keys of both. */
const VARIABLES = [
  ["MASTER", "spark.master", "--master"],
  ["DEPLOY_MODE", "spark.submit.deployMode", "--deploy-mode"],
  ["SPARK_REMOTE", "spark.remote", "--remote"],
  ["SPARK_DRIVER_MEMORY", "spark.driver.memory", "--driver-memory"],
  ["SPARK_EXECUTOR_MEMORY", "spark.executor.memory", "--executor-memory"],
  ["SPARK_EXECUTOR_CORES", "spark.executor.cores", "--executor-cores"],
] as const;

/** All places where the executors' memory can be set, the strongest first, each with a value of its own. */
const SOURCES = ["flag", "conf", "file", "defaults", "env", "opts"] as const;

function memoryFrom(sources: readonly (typeof SOURCES)[number][], more: readonly string[] = []): string | undefined {
  const has = (source: (typeof SOURCES)[number]): boolean => sources.includes(source);
  const folder = scratchFolder({
    "app.conf": has("file") ? "spark.executor.memory file" : "",
    "conf/spark-defaults.conf": has("defaults") ? "spark.executor.memory defaults" : "",
  });
  const args = [
    ...(has("flag") ? ["--executor-memory", "flag"] : []),
    ...(has("conf") ? ["--conf", "spark.executor.memory=conf"] : []),
    ...(has("file") ? ["--properties-file", "app.conf"] : []),
    ...more,
  ];
  const env = {
    SPARK_HOME: folder.path,
    ...(has("env") && { SPARK_EXECUTOR_MEMORY: "env" }),
    ...(has("opts") && { SPARK_SUBMIT_OPTS: "-Dspark.executor.memory=opts" }),
  };
  return merged(args, env, folder.path).entries["spark.executor.memory"];
}

describe("precedence", () => {
  test.each(SOURCES.map((source, index) => [source, SOURCES.slice(index)] as const))(
    "%s wins over all that follow: %j",
    (source, present) => {
      expect(memoryFrom(present)).toBe(source);
    },
  );

  test("a properties file takes the place of spark-defaults.conf", () => {
    const folder = scratchFolder({
      "app.conf": "spark.a file\n",
      "conf/spark-defaults.conf": "spark.a defaults\nspark.b defaults\n",
    });
    const env = { SPARK_HOME: folder.path };
    expect(merged(["--properties-file", "app.conf"], env, folder.path).entries).toMatchObject({ "spark.a": "file" });
    expect(merged(["--properties-file", "app.conf"], env, folder.path).entries["spark.b"]).toBeUndefined();
    expect(merged(["--properties-file", "app.conf", "--load-spark-defaults"], env, folder.path).entries).toMatchObject({
      "spark.a": "file",
      "spark.b": "defaults",
    });
  });

  test("a further properties file wins over it, and of several the last; --conf wins over all", () => {
    const folder = scratchFolder({
      "app.conf": "spark.a file\nspark.b file\nspark.c file\nspark.d file\n",
      "one.conf": "spark.b one\nspark.c one\nspark.d one\n",
      "two.conf": "spark.c two\nspark.d two\n",
    });
    const extra = ["--extra-properties-file", "one.conf", "--extra-properties-file", "two.conf"];
    const args = ["--conf", "spark.d=conf", ...extra, "--properties-file", "app.conf"];
    expect(merged(args, {}, folder.path).entries).toMatchObject({
      "spark.a": "file",
      "spark.b": "one",
      "spark.c": "two",
      "spark.d": "conf",
    });
  });

  test("SPARK_CONF_DIR wins over SPARK_HOME", () => {
    const folder = scratchFolder({
      "conf/spark-defaults.conf": "spark.a home\n",
      "own/spark-defaults.conf": "spark.a own\n",
    });
    const env = { SPARK_HOME: folder.path, SPARK_CONF_DIR: `${folder.path}/own` };
    expect(merged([], env).entries["spark.a"]).toBe("own");
  });

  test("a spark-defaults.conf that is no file is passed over; a properties file must be one", () => {
    const folder = scratchFolder();
    folder.mkdir("spark-defaults.conf");
    expect(merged([], { SPARK_CONF_DIR: folder.path }).entries).toEqual({ "spark.app.name": "spark" });
    expect(caughtFrom(() => merged(["--properties-file", folder.path])).code).toBe("FILE_UNREADABLE");
  });

  test.each(VARIABLES)("%s stands in for %s, where neither %s nor the key is given", (variable, key, flag) => {
    expect(merged([], { [variable]: "env" }).entries[key]).toBe("env");
    expect(merged(["--conf", `${key}=conf`], { [variable]: "env" }).entries[key]).toBe("conf");
    expect(merged([flag, "flag"], { [variable]: "env" }).entries[key]).toBe("flag");
  });
});

describe("keys that are none of Spark's", () => {
  test("are left out with a notice that does not tell their values", () => {
    const { entries, notices } = merged(["--conf", "sprak.executor.memory=4g", "--conf", "password=hunter2"]);
    expect(Object.keys(entries)).toEqual(["spark.app.name"]);
    expect(notices).toEqual([
      "sprak.executor.memory is ignored, because it does not begin with 'spark.'",
      "password is ignored, because it does not begin with 'spark.'",
    ]);
  });

  test("may have the names of JavaScript's own things", () => {
    const { entries, notices } = merged([
      "--conf",
      "__proto__=x",
      "--conf",
      "spark.__proto__=y",
      "--conf",
      "constructor=z",
    ]);
    expect(entries).toEqual({ "spark.__proto__": "y", "spark.app.name": "spark" });
    expect(notices.join()).toContain("constructor is ignored");
  });
});

describe("lists of files", () => {
  test.each([
    ["--jars", "spark.jars"],
    ["--files", "spark.files"],
    ["--archives", "spark.archives"],
    ["--py-files", "spark.submit.pyFiles"],
  ])("%s replaces %s, and both are resolved from the working directory", (flag, key) => {
    const { path } = scratchFolder({ "a.jar": "", "b.jar": "" });
    expect(merged(["--conf", `${key}=a.jar,b.jar`], {}, path).entries[key]).toBe(
      `file:${path}/a.jar,file:${path}/b.jar`,
    );
    expect(merged([flag, "*.jar", "--conf", `${key}=s3a://x/c.jar`], {}, path).entries[key]).toBe(
      `file:${path}/a.jar,file:${path}/b.jar`,
    );
  });
});

describe("the application's name", () => {
  test.each([
    [["--name", "given", "--class", "C", "x/app.jar"], "given"],
    [["--conf", "spark.app.name=conf", "--class", "C", "app.jar"], "conf"],
    [["--class", "org.example.Main", "app.jar"], "org.example.Main"],
    [["local:///opt/spark/app.py"], "app.py"],
    [["dir/my app.py"], "my%20app.py"],
    [["spark-internal"], "spark-internal"],
    [[], "spark"],
  ])("of %j is %s", (args, name) => {
    expect(merged(args).entries["spark.app.name"]).toBe(name);
  });
});

describe("keys that went by another name once", () => {
  test("count where the present one is not given", () => {
    const old = ["--conf", "spark.yarn.principal=old", "--conf", "spark.yarn.keytab=/old"];
    expect(merged(old).entries).toMatchObject({ "spark.kerberos.principal": "old", "spark.kerberos.keytab": "/old" });
    expect(merged([...old, "--conf", "spark.kerberos.principal=new"]).entries["spark.kerberos.principal"]).toBe("new");
  });
});

describe("what no cluster could run is refused with the key and the value", () => {
  test.each([
    ["spark.driver.memory", ["0", "0g", "-1g", "1.5g", "lots", "", "g"]],
    ["spark.executor.memory", ["0", "four"]],
    ["spark.driver.cores", ["0", "-1", "1.5", "two", "", "99999999999"]],
    ["spark.executor.cores", ["0", "x"]],
    ["spark.executor.instances", ["0", "-3", "many"]],
  ])("%s: %j", (key, values) => {
    for (const value of values) {
      const error = caughtFrom(() => deploymentOf(merged(["--conf", `${key}=${value}`, "app.py"])));
      expect(error.code).toBe("CONF_INVALID");
      expect(error.message).toContain(`${key}: "${value}" is not a positive`);
    }
  });

  test("but for the number of executors where they are allocated dynamically", () => {
    const none = ["--num-executors", "0", "app.py"];
    expect(() => deploymentOf(merged(["--conf", "spark.dynamicAllocation.enabled=true", ...none]))).not.toThrow();
  });

  test.each([["1g"], ["512M"], ["1024"], ["2gb"], ["1T"]])("a memory of %s is good", (size) => {
    expect(() => deploymentOf(merged(["--driver-memory", size, "app.py"]))).not.toThrow();
  });

  test("a missing application", () => {
    expect(caughtFrom(() => deploymentOf(merged(["--class", "x"])))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message: expect.stringContaining("must specify a primary resource"),
    });
  });

  test("a proxy user and a principal together", () => {
    const error = caughtFrom(() => deploymentOf(merged(["--proxy-user", "u", "--principal", "p", "app.py"])));
    expect(error.message).toContain("only one of --proxy-user and --principal");
  });
});
