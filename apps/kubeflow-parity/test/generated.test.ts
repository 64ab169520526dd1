import { readSparkApplication, readSparkConnect } from "@kindling/spark-application/read";
import { expect, test } from "vitest";
import { generatedConnect } from "../src/connect/generated-connects.ts";
import { generatedSpec } from "../src/arguments/generated-specs.ts";
import { generatedApplication } from "../src/pods/generated-applications.ts";
import { generatedRequest } from "../src/surroundings/generated-requests.ts";

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

test.each<[string, (seed: number) => object]>([
  ["applications for pods", generatedApplication],
  ["applications for arguments", generatedSpec],
  ["applications with settings", generatedRequest],
  ["Connect servers", generatedConnect],
])("the same seed gives the same %s, and another one others", (_what, generate) => {
  for (const seed of SEEDS) expect(generate(seed)).toEqual(generate(seed));
  expect(new Set(SEEDS.map((seed) => JSON.stringify(generate(seed)))).size).toBe(SEEDS.length);
});

test("the operator reads each application without a fault", () => {
  const applications = SEEDS.flatMap((seed) => [generatedApplication(seed), generatedSpec(seed)]);
  expect(applications.flatMap((application) => readSparkApplication(application).faults)).toEqual([]);
  expect(SEEDS.flatMap((seed) => readSparkConnect(generatedConnect(seed)).faults)).toEqual([]);
});
