import { allKeys } from "@kindling/steps";
import { expect, test } from "vitest";
import { applicationObjects } from "../../src/resources/application-objects.ts";
import { anApplication, anOperator } from "./an-application.ts";

const GATEWAY = { "spark.kindling.scheduler": "gateway" };
const QUEUE = "spark.kindling.scheduler.queue";
const MIN_EXECUTORS = "spark.kindling.scheduler.minExecutors";

const confOf = (spec: Parameters<typeof anApplication>[0]) =>
  applicationObjects(anApplication({ batchSchedulerOptions: { queue: "etl" }, ...spec }), anOperator()).application.spec
    .sparkConf;

test("the keys are the gateway's", () => {
  const keys = allKeys().map((known) => ("key" in known ? known.key : known.prefix));
  expect(keys).toEqual(expect.arrayContaining([QUEUE, MIN_EXECUTORS]));
});

test("an application of the gateway waits in its queue for room for its executors", () => {
  expect(confOf({ sparkConf: GATEWAY, executor: { instances: 3 } })).toEqual({
    ...GATEWAY,
    [QUEUE]: "etl",
    [MIN_EXECUTORS]: "3",
  });
});

test.each([
  ["with a least number", { enabled: true, minExecutors: 2, initialExecutors: 5 }, {}, "2"],
  ["without", { enabled: true, initialExecutors: 5 }, {}, undefined],
  ["of sparkConf", undefined, { "spark.dynamicAllocation.enabled": "true" }, undefined],
])("a dynamic allocation %s", (_, dynamicAllocation, conf, want) => {
  const spec = { sparkConf: { ...GATEWAY, ...conf }, ...(dynamicAllocation !== undefined && { dynamicAllocation }) };
  expect(confOf(spec)?.[MIN_EXECUTORS]).toBe(want);
});

test("what sparkConf says stays", () => {
  const sparkConf = { ...GATEWAY, [QUEUE]: "mine", [MIN_EXECUTORS]: "0" };
  expect(confOf({ sparkConf })).toEqual(sparkConf);
});

test("other applications are left alone", () => {
  expect(confOf({})).toBeUndefined();
  expect(confOf({ sparkConf: { "spark.kindling.scheduler": "native" } })).toEqual({
    "spark.kindling.scheduler": "native",
  });
});
