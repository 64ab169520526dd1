import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import { generateCase } from "../src/cases/generate.ts";
import { compare } from "../src/compare/compare.ts";
import { bareEnvironment } from "../src/run/environment.ts";
import { ColdKindling, WarmKindling, type Kindling } from "../src/run/kindling.ts";
import { Side } from "../src/run/side.ts";

const CASES = 12;
const cli = createRequire(import.meta.url).resolve("@kindling/submit-cli/package.json");

test("one process that stays does what a process for each command line does", async () => {
  const folder = scratchFolder({ "home/x": "" }).path;
  const env = { ...bareEnvironment(folder), KINDLING_SPARK_VERSION: "4.3.0" };
  const side = (name: string, kindling: Kindling): Side => {
    onTestFinished(() => kindling.stop());
    return new Side(join(folder, name), "4.3.0", (filled, { command }) =>
      kindling.run({ argv: [command, ...filled.args], env: { ...env, ...filled.env }, cwd: filled.cwd }),
    );
  };
  const worker = fileURLToPath(new URL("../dist/kindling-worker.js", import.meta.url));
  const warm = side("warm", new WarmKindling(worker, join(cli, "../dist/kindling.cjs")));
  const cold = side("cold", new ColdKindling(join(cli, "../bin/kindling.js")));
  for (let index = 0; index < CASES; index++) {
    const kase = generateCase(11, index, { sparkKeys: ["spark.ui.port"] });
    const [one, other] = [await cold.run(kase), await warm.run(kase)];
    expect([kase.name, compare(kase, one, other)]).toEqual([kase.name, []]);
    expect([kase.name, other.err]).toEqual([kase.name, one.err]);
  }
}, 120_000);
