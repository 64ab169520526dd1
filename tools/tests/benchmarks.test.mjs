// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { BENCHMARKS } from "../../benchmarks/catalogue.mjs";
import { describeMachine } from "../../benchmarks/harness/machine.mjs";
import { startStub } from "../../benchmarks/harness/stub.mjs";
import { KINDLING, submissionArguments } from "../../benchmarks/submission.mjs";
import { barsPicture } from "../../benchmarks/page/bars.mjs";
import { parseResult, quantity } from "../../benchmarks/page/result.mjs";

const runner = fileURLToPath(new URL("../../benchmarks/run.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kindling-benchmarks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {readonly string[]} args */
const bench = (...args) =>
  spawnSync(process.execPath, [runner, ...args], { encoding: "utf8", env: { PATH: process.env.PATH } });

test("each result that is kept is of a benchmark, and each benchmark can be loaded", async () => {
  const names = BENCHMARKS.map(({ name }) => name);
  const kept = readdirSync(new URL("../../benchmarks/results/", import.meta.url)).filter((name) =>
    name.endsWith(".md"),
  );
  for (const name of kept) expect(names).toContain(name.replace(".md", ""));
  for (const { name, load } of BENCHMARKS) expect(await load(), name).toBeInstanceOf(Function);
});

test("the list names all of them, and what would be left out here", () => {
  const { stdout, status } = bench("--list");
  expect(status).toBe(0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ", 1)[0]),
  ).toEqual(BENCHMARKS.map(({ name }) => name));
  expect(stdout).toMatch(/^submit .*left out: SPARK_HOMES not set\]$/m);
});

test("the stand-in API server takes what is measured with it: submissions by the library, and by the command", async () => {
  const { address, stop } = await startStub();
  try {
    const library = fileURLToPath(new URL("../../benchmarks/library-worker.mjs", import.meta.url));
    const env = { PATH: process.env.PATH, KUBECONFIG: "/dev/null" };
    /** @param {readonly string[]} args */
    const run = (...args) => spawnSync(process.execPath, args, { encoding: "utf8", env });
    const { stdout, stderr } = run(library, address, "4");
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).perSecond).toBeGreaterThan(0);
    const submitted = run(KINDLING, "submit", ...submissionArguments(address, "4.3.0"));
    expect(submitted).toMatchObject({ status: 0 });
  } finally {
    await stop();
  }
});

test("a benchmark without what it needs is left out, and its last figures stay", () => {
  const { stdout, status } = bench("submit", "--output", folder);
  expect(status).toBe(0);
  expect(stdout).toContain("submit: left out, because SPARK_HOMES is not set");
  expect(readdirSync(folder)).toEqual([]);
});

test("a name that is none is said, and nothing is run", () => {
  const { stderr, status } = bench("startup", "nonsense");
  expect(status).toBe(1);
  expect(stderr).toContain("no such benchmark: nonsense");
});

test("the machine's description tells what counts, and neither its name nor its paths", () => {
  const os = {
    cpus: () => [{ model: " Fast One @ 3 GHz " }, { model: "" }],
    totalmem: () => 24.6e9,
    type: () => "Linux",
    release: () => "6.1.0-18-somebody",
    arch: () => "x64",
    hostname: () => "secret",
  };
  expect(describeMachine(os, "22.1.0")).toBe("Node 22.1.0, 2 × Fast One @ 3 GHz, 23 GiB of memory, Linux 6.1.0 (x64)");
});

test.each([
  ["71 ms", 0.071, "s"],
  ["123.47 s", 123.47, "s"],
  ["870 ms, 0.35×", 0.87, "s"],
  ["10,000", 10_000, ""],
  ["53.7 MiB/s (0.31×, at least 0.25× is wanted)", 53.7, "MiB/s"],
  ["1.25×", 1.25, "×"],
])("%s is a figure", (text, value, unit) => {
  expect(quantity(text).value).toBeCloseTo(value);
  expect(quantity(text).unit).toBe(unit);
});

test("a figure that missed is a figure, and a cell that is not there is an error", () => {
  const { tables, machine } = parseResult(
    "Node 1\n\n| measured | found |\n| --- | --- |\n| time | **3 s** (missed) |\n",
  );
  expect(machine).toBe("Node 1");
  const [table] = tables;
  expect(table?.cell("time")).toBe("3 s");
  expect(() => table?.cell("memory")).toThrow("the table has no memory / found");
});

test("bars are as long as their figures, and words are no markup", () => {
  const bars = [
    { value: 4, text: "4 s" },
    { value: 1, text: "1 s" },
  ];
  const picture = barsPicture("a < b", [{ title: "R&D", series: ["old", "new"], groups: [{ label: "all", bars }] }]);
  const widths = [...picture.matchAll(/<rect class="[ab]" x="226" .*? width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );
  expect(widths).toEqual([400, 100]);
  expect(picture).toContain("<title>a &lt; b</title>");
  expect(picture).toContain("R&amp;D");
});
