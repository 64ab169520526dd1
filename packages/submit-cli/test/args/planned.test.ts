import fc from "fast-check";
import type { ConfigMap, Service } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { parseProperties } from "@kindling/core-spec";
import { ManualClock } from "@kindling/outside";
import type { SubmissionPlan } from "@kindling/submit";
import { caught } from "@kindling/test-kit/caught";
import { plannedBy } from "../fixtures/planned-arguments.ts";
import { conf } from "../fixtures/submission.ts";

const IMAGE = conf({ "spark.kubernetes.container.image": "apache/spark:4.3.0" });
const APP = ["--class", "org.example.Main", "local:///opt/app.jar"];
const clock = new ManualClock();

async function planned(args: readonly string[]): Promise<SubmissionPlan> {
  await clock.advance(1000);
  return (await plannedBy([...IMAGE, ...args], { clock })).plan;
}

/** The objects without the time of the submission, which is only in the properties. */
function timeless({ objects }: SubmissionPlan): unknown {
  return JSON.parse(JSON.stringify(objects).replaceAll(/(spark\.app\.submitTime\W+)\d+/g, "$1{time}"));
}

function namesOf({ objects: { preResources, resources, pod } }: SubmissionPlan): string[] {
  return [...preResources, ...resources, pod].map(({ metadata }) => metadata?.name ?? "");
}

describe("two submissions", () => {
  test("with one id are the same but for their time", async () => {
    const [one, other] = [
      await planned(["--submission-id", "etl-1", ...APP]),
      await planned(["--submission-id", "etl-1", ...APP]),
    ];
    expect(JSON.stringify(one.objects)).not.toBe(JSON.stringify(other.objects));
    expect(timeless(one)).toEqual(timeless(other));
  });

  test("with other ids, or without, share no name and no application id", async () => {
    const plans = await Promise.all(
      [["--submission-id", "a"], ["--submission-id", "b"], [], []].map((id) => planned([...id, ...APP])),
    );
    const names = plans.flatMap(namesOf);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(plans.map(({ application }) => application.id)).size).toBe(plans.length);
  });
});

describe("a submission id", () => {
  const isLabel = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
  const isSubdomain = (text: string): boolean =>
    text.length <= 253 && text.split(".").every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part));

  test("names the objects, as far as names go", async () => {
    const { objects } = await planned(["--submission-id", "ETL/2026-11-21 #7", "--name", "nightly", ...APP]);
    expect(objects.pod.metadata?.name).toMatch(/^etl-2026-11-21-7-[0-9a-f]{16}-driver$/);
    expect(objects.pod.metadata?.labels?.["spark-app-name"]).toBe("nightly");
  });

  test("may be any text: the names are good, and other ids have others", async () => {
    const seen = new Map<string, string>();
    const id = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.constantFrom(
        "日本語",
        "-",
        "...",
        "0",
        "UPPER",
        "a".repeat(400),
        `${"a".repeat(400)}b`,
        "é".repeat(300),
        " x ",
        "ns:name",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        id.filter((text) => text.trim() !== ""),
        async (text) => {
          const { objects } = await planned(["--submission-id", text, ...APP]);
          const podName = objects.pod.metadata?.name ?? "";
          const kinds = objects.resources.map(({ kind, metadata }) => [kind, metadata.name] as const);
          expect([podName, ...kinds.map(([, name]) => name)].filter((name) => !isSubdomain(name))).toEqual([]);
          expect(kinds.filter(([kind, name]) => kind === "Service" && !isLabel(name))).toEqual([]);
          expect(seen.get(podName) ?? text).toBe(text);
          seen.set(podName, text);
        },
      ),
    );
  });

  test.each([[""], ["  "]])("must not be empty: %j", async (text) => {
    expect(await caught(planned(["--submission-id", text, ...APP]))).toMatchObject({
      code: "ARGUMENT_INVALID",
      message: "--submission-id: the id is empty",
    });
  });
});

describe("the driver's properties", () => {
  async function properties(args: readonly string[]): Promise<Record<string, string>> {
    const { objects } = await planned([...args, ...APP]);
    const configMap = objects.resources.at(-1) as unknown as ConfigMap;
    return parseProperties(configMap.data?.["spark.properties"] ?? "");
  }

  test("hold any value as it was given, but for carriage returns, which spark-submit's script loses", async () => {
    const anyValue = fc.string({ unit: "binary", maxLength: 30 }).filter((value) => !value.includes("\r"));
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expect((await properties(conf({ "spark.my.key": value })))["spark.my.key"]).toBe(value);
      }),
      { numRuns: 50 },
    );
  });

  test("hold nothing that is Kindling's own", async () => {
    const own = conf({
      "spark.kindling.sparkVersion": "4.2.0",
      "spark.kindling.submit.exitCode": "spark",
      "spark.kindling.x": "y",
    });
    const found = await properties(own);
    expect(Object.keys(found).filter((key) => key.startsWith("spark.kindling."))).toEqual([]);
  });

  test("do not hold an address that the user gave, as with spark-submit", async () => {
    const found = await properties(conf({ "spark.driver.host": "elsewhere" }));
    expect(found["spark.driver.host"]).toMatch(/-driver-svc\.default\.svc$/);
  });
});

test("a plan is plain data that survives JSON", async () => {
  const { objects } = await planned(["--py-files", "local:///a.py,local:///b.zip", "local:///app.py", "x", "y z"]);
  expect(JSON.parse(JSON.stringify(objects))).toEqual(objects);
  const { pod } = objects;
  expect(pod.spec?.containers?.at(-1)?.args?.slice(-3)).toEqual(["local:///app.py", "x", "y z"]);
  const service = objects.resources.find(({ kind }) => kind === "Service") as unknown as Service;
  expect(service.spec?.selector).toEqual(pod.metadata?.labels);
});
