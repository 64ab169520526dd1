import { expect, test } from "vitest";
import { readSparkApplication } from "@kindling/spark-application/read";
import { validate } from "../../src/validation/validate.ts";
import { manifest } from "../../src/testing/manifest.ts";

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`key${number}`, "v"]));
}

function faultsOf(spec: Readonly<Record<string, unknown>>): readonly string[] {
  return validate(readSparkApplication(manifest("app", spec)).application, {});
}

const env = (count: number): object[] =>
  Array.from({ length: count }, (_, number) => ({ name: `K${number}`, value: "v" }));

test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
  ["configuration", { sparkConf: numbered(20_000) }, /: 20000 are in spec\.sparkConf$/],
  ["Hadoop's", { hadoopConf: numbered(5_000) }, /: 5000 are in spec\.hadoopConf$/],
  ["labels", { driver: { labels: numbered(3_000) } }, /: 3000 are in spec\.driver\.labels$/],
  [
    "a template",
    { executor: { template: { spec: { containers: [{ name: "c", env: env(2_000) }] } } } },
    /: 4001 are in spec\.executor\.template\.spec\.containers$/,
  ],
  ["all together", { sparkConf: numbered(1_200), hadoopConf: numbered(1_200) }, /at most 2000 are allowed$/],
])("an application with too much is refused, and told where: %s", (_what, spec, says) => {
  const faults = faultsOf(spec);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^spec has \d+ values, and at most 2000 are allowed/);
  expect(faults[0]).toMatch(says);
});

test("an application with all that people have is taken", () => {
  const spec = {
    sparkConf: numbered(500),
    hadoopConf: numbered(200),
    driver: { labels: numbered(50), env: env(100) },
    executor: { labels: numbered(50), env: env(100) },
  };
  expect(faultsOf(spec)).toEqual([]);
});
