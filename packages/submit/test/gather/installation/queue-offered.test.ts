import { sparkConf } from "@kindling/core-spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInstallation } from "../../../src/gather/installation/installation.ts";
import { offeredQueues } from "../../../src/gather/installation/offered-queues.ts";
import { checkQueue } from "../../../src/gather/installation/queue-offered.ts";

const QUEUES = [
  { name: "etl", namespaces: ["etl-*"], priority: { max: 10 }, children: [{ name: "daily", priority: { min: 0 } }] },
  { name: "adhoc", weight: 2 },
  { name: "gold", namespaces: { matchLabels: { tier: "gold" } } },
  { name: "default", namespaces: ["shared"] },
];
const URI = "https://kindling-gateway.kindling.svc:8443";
const DATA = { "kindling.properties": `spark.kindling.scheduler.uri=${URI}\n`, "queues.json": JSON.stringify(QUEUES) };

function check(
  namespace: string,
  entries: Record<string, string>,
  labels?: Record<string, string>,
  data: Readonly<Record<string, string>> = DATA,
): string | undefined {
  const conf = { "spark.kindling.scheduler": "gateway", "spark.kubernetes.namespace": namespace, ...entries };
  const installation = { ...parseInstallation("kindling", data), namespaceLabels: labels };
  return checkQueue(installation, sparkConf(conf, { sparkVersion: "4.0.0", env: () => undefined }));
}

const inQueue = (queue: string): Record<string, string> => ({ "spark.kindling.scheduler.queue": queue });

test("a queue that a namespace may not use is refused, with those that it may", () => {
  expect(() => check("adhoc-1", inQueue("etl.daily"))).toThrow(
    expect.objectContaining({
      code: "CONF_CONFLICT",
      message: "spark.kindling.scheduler.queue=etl.daily: namespace adhoc-1 may not use this queue",
      hint: "it may use adhoc, gold; whoever runs the gateway says which namespaces may use a queue",
    }),
  );
  expect(() => check("adhoc-1", {}, {})).toThrow(
    expect.objectContaining({
      message: "spark.kindling.scheduler.queue is not set, and namespace adhoc-1 may not use queue default",
      hint: expect.stringMatching(/^it may use adhoc; /) as string,
    }),
  );
});

test("a queue that is not there is refused, with those that the namespace may use", () => {
  expect(() => check("adhoc-1", inQueue("adhok"))).toThrow(
    expect.objectContaining({
      code: "CONF_CONFLICT",
      message: "spark.kindling.scheduler.queue=adhok: the gateway has no queue adhok",
      hint: "it may use adhoc, gold; whoever runs the gateway says which namespaces may use a queue",
    }),
  );
  expect(() => check("etl-prod", inQueue("etl"))).toThrow(
    /queue=etl: applications are in the queues below queue etl, not in it$/,
  );
});

test("whoever names no queue is told where the gateway has no default", () => {
  const data = { ...DATA, "queues.json": JSON.stringify([{ name: "etl" }]) };
  expect(() => check("adhoc-1", {}, {}, data)).toThrow(
    expect.objectContaining({
      message: "spark.kindling.scheduler.queue is not set, and the gateway has no queue default",
      hint: expect.stringMatching(/^it may use etl; /) as string,
    }),
  );
});

test("what the gateway has is its own affair where the installation tells of no queues", () => {
  const { "queues.json": _, ...untold } = DATA;
  expect(check("adhoc-1", inQueue("nightly"), {}, untold)).toBeUndefined();
  expect(check("adhoc-1", inQueue("nightly"), {}, { ...DATA, "queues.json": "[" })).toBeUndefined();
});

test("what it may use is let through, and so is what only the gateway can know", () => {
  expect(check("etl-prod", inQueue("etl.daily"))).toBeUndefined();
  expect(check("shared", {})).toBeUndefined();
  expect(check("adhoc-1", inQueue("gold"), { tier: "gold" })).toBeUndefined();
  expect(() => check("adhoc-1", inQueue("gold"), { tier: "silver" })).toThrow(/may not use this queue/);
  expect(check("adhoc-1", inQueue("gold"))).toBeUndefined();
  expect(check("adhoc-1", { ...inQueue("etl.daily"), "spark.kindling.scheduler": "native" })).toBeUndefined();
});

test("a priority outside the queue's range is told with the one that counts", () => {
  const daily = inQueue("etl.daily");
  const told = (priority: string): string | undefined =>
    check("etl-prod", { ...daily, "spark.kindling.scheduler.priority": priority });
  expect(told("1000")).toBe(
    "spark.kindling.scheduler.priority=1000: queue etl.daily has priorities of at most 10, and that is what counts",
  );
  expect(told("-1")).toMatch(/has priorities of at least 0, and that is what counts/);
  expect(told("5")).toBeUndefined();
});

test("any text is a list of queues", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(Array.isArray(offeredQueues(text))).toBe(true);
    }),
  );
});
