import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sparkVersionOf } from "@kindling/core-spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDLING_DEV } from "../demo/run.js";
import { Kindling } from "../clusters/kindling.ts";
import { SPARK_VERSIONS } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
/** A Python with `pyspark-client`, which is not newer than the server. */
const PYTHON = process.env["KINDLING_E2E_CONNECT_PYTHON"];
/** Where a Spark is on this machine, with `{version}`. */
const HOME = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", VERSION);
const COUNT = `from pyspark.sql import SparkSession
from pyspark.sql.functions import udf
spark = SparkSession.builder.getOrCreate()
print("COUNT", spark.range(1000).count())
print("OF PYTHON", spark.range(1).select(udf(lambda id: "hello")("id")).first()[0])
`;

// It starts a cluster of its own, whatever the cluster of the other suites is.
const isPossible = PYTHON !== undefined && HOME !== undefined && sparkVersionOf(VERSION).has("connect-server");

describe.skipIf(!isPossible)(`kindling dev connect, on Spark ${VERSION}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-dev-connect-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("runs a program of a stock client, which needs no address", async () => {
    const program = join(folder, "count.py");
    writeFileSync(program, COUNT);
    const flags = ["--state", join(folder, "state"), "--spark-home", HOME ?? "", "--port", "0"];
    const args = ["connect", ...flags, "--", PYTHON ?? "", program];
    const ended = await new Kindling(args, withPython(), folder, KINDLING_DEV).ended;
    expect(ended, ended.err).toMatchObject({ exit: 0, out: "COUNT 1000\nOF PYTHON hello\n" });
    expect(ended.err).toMatch(/\nthe cluster has ended\n$/);
  });
});

/** Executors run functions of Python with the client's packages, as in a virtual environment that is activated. */
function withPython(): NodeJS.ProcessEnv {
  return { PATH: `${join(PYTHON ?? "", "..")}:${process.env["PATH"] ?? ""}` };
}
