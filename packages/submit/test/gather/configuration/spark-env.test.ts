import { describe, expect, test } from "vitest";
import { systemClock, type Env } from "@kindling/outside";
import {
  jvmDefinitions,
  sparkConfDir,
  sparkDefinitions,
  withSparkEnv,
} from "../../../src/gather/configuration/spark-env.ts";
import { caughtFrom } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const PATH = process.env["PATH"];

/** The configuration entries in the options of spark-submit's JVM. */
function sparksOwn(env: Env): Record<string, string> {
  return sparkDefinitions(jvmDefinitions(env, systemClock));
}

function sourced(script: string, env: Env = {}): { env: Env; notices: string[]; folder: string } {
  const { path } = scratchFolder({ "spark-env.sh": script });
  const notices: string[] = [];
  return {
    env: withSparkEnv({ PATH, SPARK_CONF_DIR: path, ...env }, (notice) => notices.push(notice)),
    notices,
    folder: path,
  };
}

describe("spark-env.sh", () => {
  test("joins what it sets to the environment, exported or not", () => {
    const { env, notices } = sourced('export A=1\nB="two words"\nC=$(printf "line\\nline")\nD=$GIVEN-$A\nE=größe\n', {
      GIVEN: "given",
    });
    expect(env).toMatchObject({ A: "1", B: "two words", C: "line\nline", D: "given-1", E: "größe", GIVEN: "given" });
    expect(notices).toEqual([]);
  });

  test("may unset and overwrite", () => {
    const { env } = sourced("unset GONE\nCHANGED=new\n", { GONE: "x", CHANGED: "old" });
    expect(env["GONE"]).toBeUndefined();
    expect(env["CHANGED"]).toBe("new");
  });

  test("may print, read nothing, and end in a command that fails", () => {
    const { env, notices } = sourced("echo hello; echo world >&2; cat; A=1\nfalse\n");
    expect(env["A"]).toBe("1");
    expect(notices).toEqual([]);
  });

  test("with an error in it goes on as far as it gets, as spark-submit's start script has it", () => {
    expect(sourced("A=1\nno-such-command\nB=2\nif true; then\n").env).toMatchObject({ A: "1", B: "2" });
  });

  test("that gives up is passed over with a notice", () => {
    const { env, notices, folder } = sourced("export A=1\nexit 3\n");
    expect(env).toEqual({ PATH, SPARK_CONF_DIR: folder });
    expect(notices).toEqual([`${folder}/spark-env.sh could not be run and is passed over`]);
  });

  test("is not run where SPARK_ENV_LOADED says that it was", () => {
    const { env, folder } = sourced("A=1\n", { SPARK_ENV_LOADED: "1" });
    expect(env).toEqual({ PATH, SPARK_CONF_DIR: folder, SPARK_ENV_LOADED: "1" });
  });

  test("is looked for below SPARK_HOME, too", () => {
    const { path } = scratchFolder({ "conf/spark-env.sh": "A=1\n" });
    const env = withSparkEnv({ PATH, SPARK_HOME: path }, () => {});
    expect(env).toMatchObject({ A: "1", SPARK_CONF_DIR: `${path}/conf` });
  });

  test("need not be there", () => {
    const { path } = scratchFolder();
    expect(withSparkEnv({ SPARK_CONF_DIR: path }, () => {})).toEqual({ SPARK_CONF_DIR: path });
    expect(withSparkEnv({ A: "1" }, () => {})).toEqual({ A: "1" });
  });
});

test("the configuration is in SPARK_CONF_DIR, else below SPARK_HOME", () => {
  expect(sparkConfDir({ SPARK_CONF_DIR: "/c", SPARK_HOME: "/h" })).toBe("/c");
  expect(sparkConfDir({ SPARK_CONF_DIR: "", SPARK_HOME: "/h" })).toBe("/h/conf");
  expect(sparkConfDir({})).toBeUndefined();
});

test("quotes and backslashes hold options together in SPARK_SUBMIT_OPTS, and must be closed", () => {
  expect(sparksOwn({ SPARK_SUBMIT_OPTS: `-Dspark.a='b c' "-Dspark.d=e f" -Dspark.g=h\\ i` })).toEqual({
    "spark.a": "b c",
    "spark.d": "e f",
    "spark.g": "h i",
  });
  for (const open of ["-Dspark.a='b", '-Dspark.a="b', "-Dspark.a=b\\"]) {
    expect(caughtFrom(() => sparksOwn({ SPARK_SUBMIT_OPTS: open }))).toMatchObject({
      code: "CONF_INVALID",
      message: "SPARK_SUBMIT_OPTS: the JVM options end within quotes, or in a backslash",
    });
  }
});

test("the file java-opts beside spark-defaults.conf holds options as well, and SPARK_SUBMIT_OPTS wins over it", () => {
  const { path } = scratchFolder({ "java-opts": "-Dspark.a=file -Dspark.b=file\n'-Dspark.c=file c'\n" });
  expect(sparksOwn({ SPARK_CONF_DIR: path, SPARK_SUBMIT_OPTS: "-Dspark.b=env" })).toEqual({
    "spark.a": "file",
    "spark.b": "env",
    "spark.c": "file c",
  });
});

test("of SPARK_SUBMIT_OPTS only definitions of Spark's keys count", () => {
  expect(sparksOwn({ SPARK_SUBMIT_OPTS: " -Xmx1g -Dspark.a=1  -Dother=2 -Dspark.b=x=y -Dspark.c= -Dspark.d" })).toEqual(
    {
      "spark.a": "1",
      "spark.b": "x=y",
      "spark.c": "",
      "spark.d": "",
    },
  );
  expect(sparksOwn({})).toEqual({});
});

test("empty variables are as good as none", () => {
  expect(sparkConfDir({ SPARK_CONF_DIR: "", SPARK_HOME: "" })).toBeUndefined();
  expect(sparkConfDir({ SPARK_CONF_DIR: "", SPARK_HOME: "/opt/spark" })).toBe("/opt/spark/conf");
});
