import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Case } from "../src/cases/case.ts";
import { generateCase } from "../src/cases/generate.ts";
import { shrink } from "../src/shrink/shrink.ts";

const WHOLE: Case = {
  ...generateCase(1, 0, { sparkKeys: ["spark.ui.port"] }),
  flags: Array.from({ length: 20 }, (_, index) => ["--conf", `spark.x${index}=1`]),
  app: ["a.jar", "1", "2", "3"],
  env: { A: "1", B: "2", C: "3" },
  files: {
    "t.yaml": "metadata: {labels: {a: b, c: d}}\nspec: {hostNetwork: true, priority: 1}\n",
    "p.conf": "a 1\nb 2\nc 3\n",
  },
};

test("only what matters is left of a case", async () => {
  const smallest = await shrink(WHOLE, ({ flags, env, files }) => {
    const lines = files["p.conf"];
    return Promise.resolve(
      flags.some(([, value]) => value === "spark.x13=1") &&
        "B" in env &&
        typeof lines === "string" &&
        lines.includes("b 2"),
    );
  });
  expect(smallest).toMatchObject({
    flags: [["--conf", "spark.x13=1"]],
    app: ["local:///opt/m.py"],
    env: { B: "2" },
    files: { "p.conf": "b 2\n" },
  });
});

test("only the fields that matter are left of a template", async () => {
  const smallest = await shrink(WHOLE, ({ files }) => {
    const template = parse(String(files["t.yaml"])) as { spec?: { priority?: number } } | null;
    return Promise.resolve(template?.spec?.priority === 1);
  });
  expect(smallest.flags).toEqual([]);
  expect(parse(String(smallest.files["t.yaml"]))).toEqual({ spec: { priority: 1 } });
});
