import { formatMemoryRuns, type MemoryRun } from "@kindling/gateway-client";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { beforeEach, describe, expect, test } from "vitest";
import { kindling } from "../fixtures/kindling-process.ts";

const ASKED = { heap: 4096, total: 4608 };
const RUN: MemoryRun = {
  ...{ at: "2026-11-30T05:00:00.000Z", hasSucceeded: true, executors: 10 },
  ...{ asked: ASKED, began: ASKED, ended: ASKED, peak: { heap: 1000, total: 1600 } },
};

let cluster: TestCluster;
let reach: string[];

beforeEach(async () => {
  cluster = await TestCluster.start();
  reach = ["--master", `k8s://${cluster.url}`, "-n", "spark-jobs"];
});

async function remember(runs: readonly MemoryRun[]): Promise<void> {
  const data = { "runs.json": formatMemoryRuns(runs) };
  const metadata = { name: "kindling-memory-nightly-etl" };
  await cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", { metadata, data });
}

describe("kindling tune", () => {
  test("proposes less than was asked for, and says what it rests on", async () => {
    await remember([RUN, RUN, RUN]);
    const { code, stdout, stderr } = await kindling(["tune", ...reach, "Nightly ETL"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "ENDED                      STATE       EXECUTORS   HEAP/POD        AT THE END      USED",
      ...Array.from(
        { length: 3 },
        () => "2026-11-30T05:00:00.000Z   succeeded   10          4096/4608 MiB   4096/4608 MiB   1000/1600 MiB",
      ),
      "",
      "--conf spark.executor.memory=1376m --conf spark.executor.memoryOverhead=416m",
      "rests on 3 runs, by what they used, with a margin; it takes 28160 MiB less than the last run did at its end, with all executors together",
      "",
    ]);
  });

  test("proposes what executors had in the end that had too little", async () => {
    await remember([{ ...RUN, hasSucceeded: false, peak: undefined, ended: { heap: 4096, total: 6912 } }]);
    const { stdout } = await kindling(["tune", ...reach, "nightly-etl"]);
    expect(stdout).toContain("failed");
    expect(stdout).toMatch(/^--conf spark.executor.memory=4096m --conf spark.executor.memoryOverhead=2816m$/m);
    expect(stdout).toContain("rests on 1 run, by what executors needed that had ended for lack of memory");
  });

  test("proposes nothing if too few runs tell", async () => {
    await remember([RUN]);
    const { stdout } = await kindling(["tune", ...reach, "nightly-etl"]);
    expect(stdout).toContain("nothing is proposed for nightly-etl");
    const json = await kindling(["tune", ...reach, "-o", "json", "nightly-etl"]);
    expect(JSON.parse(json.stdout)).toEqual({ proposal: null, runs: [RUN] });
  });

  test("says what is remembered if the name is wrong", async () => {
    const { code, stderr } = await kindling(["tune", ...reach, "nightly"]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /^error: no run of "nightly" is remembered in namespace spark-jobs\nhint: applications with /,
    );
  });
});
