import { describe, expect, test } from "vitest";
import { FEATURE_NAMES, generateCase } from "../src/cases/generate.ts";

const options = { sparkKeys: ["spark.task.cpus", "spark.ui.port"] };
const cases = (seed: number, count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => generateCase(seed, index, options));

describe("the cases", () => {
  test("of a seed are the same each time, and others than those of another seed", () => {
    expect(cases(1, 50)).toEqual(cases(1, 50));
    expect(cases(1, 50)).not.toEqual(cases(2, 50));
  });

  test("do not depend on those before them", () => {
    expect(generateCase(3, 17, options)).toEqual(cases(3, 18)[17]);
  });

  test("come in all features within a few hundred", () => {
    const seen = new Set(Array.from({ length: 600 }, (_, index) => generateCase(5, index, options).features).flat());
    expect(FEATURE_NAMES.filter((name) => !seen.has(name))).toEqual([]);
  });

  test.each(FEATURE_NAMES)("can be those of %s alone", (name) => {
    const some = Array.from({ length: 5 }, (_, index) => generateCase(1, index, { ...options, only: [name] }));
    for (const { features } of some) expect(features.filter((one) => !one.startsWith("yaml "))).toContain(name);
  });

  test("name the stand-in API server and nothing of the machine", () => {
    for (const one of cases(7, 100)) {
      const text = JSON.stringify(one);
      expect(text).not.toContain(process.cwd());
      expect(text.match(/https?:\/\/127\.0\.0\.1:\d+/g) ?? []).not.toContainEqual(expect.not.stringMatching(/:9$/));
    }
  });
});
