import type { ResourceQuota } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import type { SparkApplicationSpec } from "@kindling/spark-application";
import { withDefaults } from "@kindling/spark-application/read";
import { applicationWith } from "@kindling/spark-application/testing";
import { validateQuota } from "../../src/validation/quota.ts";

function quota(hard: Record<string, string>, used: Record<string, string> = {}): ResourceQuota {
  return { metadata: { name: "team", namespace: "jobs" }, spec: { hard }, status: { hard, used } };
}

const exceeded = (spec: Partial<SparkApplicationSpec>, ...quotas: ResourceQuota[]) =>
  validateQuota(withDefaults(applicationWith(spec)), quotas);

const NO_ROOM = 'failed to validate resource quota "jobs/team"';

// The first amount of each row is what the application needs; the second is too small.
test.each<[string, Partial<SparkApplicationSpec>, string, string, string]>([
  ["cores of both roles", { executor: { instances: 3, cores: 2 } }, "cpu", "7", "6999m"],
  ["the same as requests", { executor: { instances: 3, cores: 2 } }, "requests.cpu", "7", "6999m"],
  ["cores as limits", { executor: { instances: 3, cores: 2 } }, "limits.cpu", "7", "6999m"],
  [
    "core limits",
    { driver: { coreLimit: "1200m" }, executor: { instances: 2, coreLimit: "1.5" } },
    "limits.cpu",
    "4200m",
    "4199m",
  ],
  ["core requests do not count", { driver: { coreRequest: "100" } }, "cpu", "2", "1999m"],
  ["memory with the least overhead of Java", { type: "Java" }, "memory", "2816Mi", "2815Mi"],
  [
    "memory with a tenth for Java",
    { type: "Java", driver: { memory: "10g" } },
    "requests.memory",
    "12672Mi",
    "12671Mi",
  ],
  ["memory with four tenths for others", { driver: { memory: "10240m" } }, "memory", "16535624089", "16535624088"],
  ["the factor of the spec", { memoryOverheadFactor: "1.0" }, "memory", "4Gi", "4095Mi"],
  [
    "an overhead of its own",
    { driver: { memoryOverhead: "1g" }, executor: { instances: 2, memoryOverhead: "2G" } },
    "memory",
    "8Gi",
    "8191Mi",
  ],
  [
    "memory without unit, as MiB",
    { driver: { memory: "1024", memoryOverhead: "0" }, executor: { memory: "1k", memoryOverhead: "0b" } },
    "memory",
    "1048577Ki",
    "1Gi",
  ],
])("%s", (_, spec, resource, enough, tooLittle) => {
  expect(exceeded(spec, quota({ [resource]: enough }))).toEqual([]);
  expect(exceeded(spec, quota({ [resource]: tooLittle }))).toEqual([NO_ROOM]);
});

test("what is used already counts", () => {
  expect(exceeded({}, quota({ cpu: "10" }, { cpu: "8" }))).toEqual([]);
  expect(exceeded({}, quota({ cpu: "10" }, { cpu: "8001m" }))).toEqual([NO_ROOM]);
});

test("quotas of other things, with scopes or not counted yet do not", () => {
  const full = quota({ cpu: "0" });
  const { status: _, ...uncounted } = full;
  expect(
    exceeded(
      {},
      quota({ pods: "0", "limits.memory": "0", "requests.storage": "0" }),
      { ...full, spec: { ...full.spec, scopes: ["BestEffort"] } },
      { ...full, spec: { ...full.spec, scopeSelector: { matchExpressions: [] } } },
      uncounted,
      {},
    ),
  ).toEqual([]);
});

test("a limit that was lowered and not counted anew holds", () => {
  expect(exceeded({}, { ...quota({}), spec: {}, status: { hard: { cpu: "9" } } })).toEqual([NO_ROOM]);
});

test("each quota without room is named", () => {
  const other = { ...quota({ memory: "1" }), metadata: { name: "other", namespace: "jobs" } };
  expect(exceeded({}, quota({ cpu: "1" }), quota({ cpu: "9" }), other)).toEqual([
    NO_ROOM,
    'failed to validate resource quota "jobs/other"',
  ]);
});

test.each<[Partial<SparkApplicationSpec>, string]>([
  [
    { driver: { memory: "much" } },
    "could not parse string 'much' as a Java-style memory value. Examples: 100kb, 1.5mb, 1g",
  ],
  [
    { executor: { memoryOverhead: "1.5g" } },
    "could not parse string '1.5g' as a Java-style memory value. Examples: 100kb, 1.5mb, 1g",
  ],
  [
    { driver: { coreLimit: "one" } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [{ memoryOverheadFactor: "0,4" }, 'strconv.ParseFloat: parsing "0,4": invalid syntax'],
  [{ memoryOverheadFactor: "1e999" }, 'strconv.ParseFloat: parsing "1e999": value out of range'],
])("what cannot be counted is refused: %o", (spec, why) => {
  expect(exceeded(spec, quota({ cpu: "100" }))).toEqual([`failed to calculate resource quests: ${why}`]);
});

test("amounts beyond all bounds are compared, not lost", () => {
  const huge = {
    executor: { instances: 2 ** 31 - 1, memory: "8000p", cores: 2 ** 31 - 1 },
    memoryOverheadFactor: "1e300",
  };
  expect(exceeded(huge, quota({ memory: "1E", cpu: "1" }))).toEqual([NO_ROOM]);
});
