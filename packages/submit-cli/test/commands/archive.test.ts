import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { someStage } from "../fixtures/some-stage.ts";
import { recorded, type Recorded } from "../fixtures/recorded.ts";

let scene: Recorded;

beforeEach(async () => {
  scene = await recorded();
});

const FAILED = {
  exitCode: 1,
  log: [
    'Exception in thread "main" java.lang.IllegalStateException: no input for today',
    "\tat Main.main(Main.java:7)",
  ],
};

describe("kindling logs of an application whose pods are gone", () => {
  test("shows the log of its driver, and why it failed", async () => {
    await scene.gone("daily", FAILED);
    const { code, stdout, stderr } = await scene.run("logs", "daily");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${FAILED.log.join("\n")}\n` });
    expect(stderr).toMatch(/^failed: .*no input for today/);
  });

  test("shows that of an executor, and the last lines alone", async () => {
    await scene.gone("daily", { executor: ["one", "two", "three"] });
    expect(await scene.run("logs", "daily", "--executor", "1", "--tail", "2")).toEqual({
      ...{ code: 0, stderr: "" },
      stdout: "two\nthree\n",
    });
    const { code, stderr } = await scene.run("logs", "daily-driver", "-e", "7");
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: no log executor-7 is kept of spark-jobs:daily-driver\nhint: there are driver, executor-1\n",
    );
  });

  test("shows that of an executor whose pod is gone, beside a driver whose pod is not", async () => {
    await scene.gone("daily", { executor: ["one", "two"], keepsDriver: true });
    expect(await scene.run("logs", "daily", "--executor", "1")).toEqual({ code: 0, stderr: "", stdout: "one\ntwo\n" });
    const { code, stderr } = await scene.run("logs", "daily", "--executor", "2");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: executor 2 of spark-jobs:daily-driver is not there/);
  });

  test("shows that of an executor whose pod is gone while the application runs", async () => {
    await scene.loses("daily", ["one", "two"]);
    await eventually(async () =>
      expect(await scene.run("logs", "daily", "-e", "1", "--tail", "1")).toEqual({
        code: 0,
        stderr: "",
        stdout: "two\n",
      }),
    );
  });

  test("shows that of the run before, and of an earlier one", async () => {
    for (const number of [1, 2, 3])
      await scene.gone("daily", { log: [`run ${number}`], id: `spark-${number}`, driver: `daily-${number}-driver` });
    expect((await scene.run("logs", "daily")).stdout).toBe("run 3\n");
    expect((await scene.run("logs", "daily", "--previous")).stdout).toBe("run 2\n");
    expect((await scene.run("logs", "daily~2")).stdout).toBe("run 1\n");
    expect((await scene.run("logs", "spark-1")).stdout).toBe("run 1\n");
  });

  test.each([
    [["--since", "5m"], "--since is for pods that still exist"],
    [["--timestamps"], "--timestamps is for pods that still exist"],
    [["--attempt", "0"], "--attempt 0: must be a whole number above 0"],
    [
      ["--attempt", "2"],
      'nothing is kept of attempt 2 of "daily" in namespace spark-jobs; 1 run is kept with this name',
    ],
    [["--attempt", "1", "--previous"], "give --attempt or --previous, and not both"],
  ])("with %j says what is wrong", async (flags, words) => {
    await scene.gone("daily");
    const { code, stderr } = await scene.run("logs", "daily", ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  test("says that nothing is kept, if nothing is", async () => {
    const { code, stderr } = await scene.run("logs", "never");
    expect(code).toBe(1);
    expect(stderr).toContain('nothing is kept of "never" in namespace spark-jobs');
  });
});

test("kindling status shows how it ended, and the rest of what is kept", async () => {
  await scene.gone("daily", { ...FAILED, executor: ["works"], queue: "etl" });
  const { code, stdout } = await scene.run("status", "daily");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Application {2}daily \(spark-daily\)$/m);
  expect(stdout).toMatch(/^State {8}failed, exit code 1$/m);
  expect(stdout).toMatch(/^Queue {8}etl$/m);
  expect(stdout).toMatch(/^Kept {9}its pods are gone; 2 logs$/m);
  expect(stdout).toMatch(/^failed: .*no input for today/m);
  const json = await scene.run("status", "-o", "json", "daily");
  expect(JSON.parse(json.stdout)).toMatchObject({ kind: "RunRecordList", items: [{ run: { name: "daily" } }] });
});

describe("kindling history", () => {
  test("lists what has ended, the latest first", async () => {
    await scene.gone("first");
    await scene.gone("second", FAILED);
    const { code, stdout, stderr } = await scene.run("history");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [head, ...rows] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^APPLICATION +DRIVER POD +STATE +ENDED +TOOK +EXECUTORS +CORE-H +GIB-H +WHY$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ["second", "second-driver", "failed"],
      ["first", "first-driver", "succeeded"],
    ]);
  });

  test("chooses by state, queue, label, name and time", async () => {
    await scene.gone("first", { queue: "etl", team: "blue" });
    await scene.gone("second", FAILED);
    const names = async (...flags: readonly string[]): Promise<string> =>
      (await scene.run("history", "-o", "name", ...flags)).stdout;
    expect(await names("--state", "failed")).toBe("spark-jobs:second-driver\n");
    expect(await names("--queue", "etl", "-l", "team=blue")).toBe("spark-jobs:first-driver\n");
    expect(await names("--name", "sec*")).toBe("spark-jobs:second-driver\n");
    expect(await names("--until", "1h")).toBe("");
    expect(await names("--since", "1h", "--limit", "1")).toBe("spark-jobs:second-driver\n");
  });

  test.each([
    [["--state", "happy"], "there are succeeded, failed, lost"],
    [["--since", "yesterday"], "must be a duration such as"],
    [["--limit", "0"], "must be a whole number above 0"],
    [["-l", "team"], "write it as KEY=VALUE"],
  ])("refuses %j", async (flags, words) => {
    const { code, stderr } = await scene.run("history", ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  test("says that nothing is kept that fits", async () => {
    expect(await scene.run("history")).toEqual({
      ...{ code: 0, stdout: "" },
      stderr: "nothing is kept in namespace spark-jobs that fits\n",
    });
  });
});

test("kindling ui says that no event log is kept", async () => {
  await scene.gone("daily");
  const { code, stderr } = await scene.run("ui", "daily");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^error: no event log is kept of spark-jobs:daily-driver\nhint: .*eventLog=record/),
  });
});

test("kindling diff compares the last two runs of an application", async () => {
  const stages = Array.from({ length: 12 }, (_, id) => someStage(id, 1_000 * id));
  await scene.gone("daily", { id: "spark-1", driver: "daily-1-driver", stages });
  await scene.gone("daily", { ...FAILED, id: "spark-2", driver: "daily-2-driver", queue: "etl", stages: [] });
  const { code, stdout } = await scene.run("diff", "daily");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +daily-1-driver, .* daily-2-driver, /);
  expect(stdout).toMatch(/^state +succeeded +failed/m);
  expect(stdout).toMatch(/^\+ queue=etl$/m);
  expect(stdout).toMatch(/^STAGES, SECONDS OF EXECUTORS +BEFORE +AFTER +CHANGE\ncount 11 +11\n/m);
  expect(stdout).toMatch(/^and 2 more: -o json shows them$/m);
  const { stdout: yaml } = await scene.run("diff", "daily~1", "daily", "-o", "yaml");
  expect(parse(yaml)).toMatchObject({ kind: "RunDifferences", before: { id: "spark-1" }, after: { id: "spark-2" } });
});

describe("kindling cost", () => {
  test("adds up what applications have reserved", async () => {
    await scene.gone("first", { executor: ["works"], queue: "etl" });
    await scene.gone("second", { executor: ["works"] });
    const { stdout } = await scene.run("cost");
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((row) => row.split(/ {2,}/).slice(0, 2));
    expect(rows).toEqual([["QUEUE", "RUNS"], expect.anything(), expect.anything(), ["all", "2"]]);
    expect(rows.map(([key]) => key).toSorted()).toEqual(["(none)", "QUEUE", "all", "etl"]);
  });

  test("takes prices from a file", async () => {
    await scene.gone("first", { executor: ["works"] });
    const prices = scratchFolder().write("prices.yaml", "{currency: EUR, default: {coreHour: 3600, gibHour: 0}}");
    const { stdout } = await scene.run("cost", "--by", "name", "--prices", prices, "-o", "json");
    const { items } = JSON.parse(stdout) as { readonly items: { coreHours: number; cost: number }[] };
    expect(items).toHaveLength(1);
    expect(items[0]?.cost).toBeCloseTo((items[0]?.coreHours ?? 0) * 3600, 0);
  });

  test("writes CSV that no spreadsheet takes for a formula", async () => {
    await scene.gone("first", { team: "blue" });
    const { stdout } = await scene.run("cost", "--by", "label:team", "-o", "csv");
    expect(stdout).toMatch(/^key,runs,core_hours,gib_hours,spot_core_hours,cost,currency\r\nblue,1,/);
  });

  test.each([
    ["currency: [EUR]", "currency must be a text"],
    ["default: {coreHour: -1}", "must be numbers that are not negative"],
    ["defaults: {}", "defaults is not known"],
    ["nodes: {m5: {cpu: 1}}", "nodes.m5.cpu is not known"],
    ["a: b: c", "prices.yaml"],
  ])("refuses the prices %s", async (text, words) => {
    const prices = scratchFolder().write("prices.yaml", text);
    const { code, stderr } = await scene.run("cost", "--prices", prices);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr).toContain("hint: write it as {currency: EUR");
  });
});
