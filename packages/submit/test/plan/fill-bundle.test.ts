import type { Step } from "@kindling/core-spec";
import { caughtFrom } from "@kindling/test-kit/caught";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillBundle, plan, type BundleValues, type PlanInput, type SubmissionPlan } from "../../src/index.ts";
import { Notices } from "../../src/notices.ts";
import { planOf } from "../../src/plan/plan.ts";
import { workOut } from "../../src/plan/work-out.ts";
import { planInput } from "../fixtures/plan-input.ts";

const FILES = { "/a.jar": "a", "/b.txt": "b", "/c.zip": "c", "/d.py": "d", "/app.py": "app" };
const LISTS = ["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"];

/** The plan that planning would give with a known bundle. */
function plannedWith(input: PlanInput, bundle: BundleValues, steps: readonly Step[]): SubmissionPlan {
  const notices = new Notices(input.notices);
  return planOf(workOut(input, steps, notices, bundle), notices);
}

/** Two files may need the same name, no matter which bundle they are in. */
function planUnlessNamesClash(input: PlanInput, steps: readonly Step[]): SubmissionPlan | undefined {
  try {
    return plan(input, steps);
  } catch (error) {
    if (String(error).includes("would both be")) return undefined;
    throw error;
  }
}

const label: Step = {
  name: "label",
  configureExecutor: (spec) => ({
    ...spec,
    executorPod: { ...spec.executorPod, metadata: { ...spec.executorPod.metadata, labels: { a: "b" } } },
  }),
};

interface Given {
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly schemes: string;
  readonly credentials: boolean;
  readonly internal: boolean;
}

const entries: fc.Arbitrary<Given> = fc.record({
  lists: fc.dictionary(
    fc.constantFrom(...LISTS),
    fc.uniqueArray(fc.constantFrom(...Object.keys(FILES), "https://host/e.jar", "local:///f.jar"), { minLength: 1 }),
  ),
  schemes: fc.constantFrom("", "https"),
  credentials: fc.boolean(),
  internal: fc.boolean(),
});

const bundle = fc.record({
  id: fc.string(),
  secret: fc.string({ minLength: 1 }),
  files: fc.dictionary(
    fc.constantFrom("jars/a.jar", "files/b.txt", "archives/c.zip", "py-files/d.py", "app/app.py", "files/a.jar"),
    fc.record({ digest: fc.string(), size: fc.nat(), mode: fc.nat({ max: 0o777 }) }),
  ),
});

function inputOf({ lists, schemes, credentials, internal }: Given, ca: string | undefined): PlanInput {
  const conf = {
    ...Object.fromEntries(Object.entries(lists).map(([key, uris]) => [key, uris.join(",")])),
    "spark.kindling.staging.uri": "http://staging",
    "spark.kindling.localizer.image": "localizer:1",
    ...(internal && { "spark.kindling.staging.internalUri": "http://inside" }),
    ...(schemes !== "" && { "spark.kindling.localizer.schemes": schemes }),
    ...(credentials && { "spark.kindling.localizer.credentialsSecret": "keys" }),
  };
  const python = { language: "python", resource: "/app.py", mainClass: "PythonRunner" } as const;
  return { ...planInput(conf, FILES), mainApplication: python, stagingCa: ca };
}

describe("a bundle that is filled into a finished plan", () => {
  test("gives what planning would have given if it had been known", () => {
    const ca = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
    const steps = fc.constantFrom<readonly Step[]>([], [label]);
    fc.assert(
      fc.property(entries, bundle, ca, steps, (given, values, certificates, contributed) => {
        const input = inputOf(given, certificates);
        const unfilled = planUnlessNamesClash(input, contributed);
        fc.pre(unfilled !== undefined);
        expect(unfilled.staging).toBeDefined();
        expect(fillBundle(unfilled, values)).toEqual(plannedWith(input, values, contributed));
      }),
    );
  });

  test("leaves the plan as it was, and one without staged files as it is", () => {
    const none = plan(planInput({}));
    expect(fillBundle(none, { id: "x", secret: "y", files: {} })).toBe(none);
    const unfilled = plan(inputOf({ lists: {}, schemes: "", credentials: false, internal: false }, undefined));
    const before = structuredClone(unfilled);
    fillBundle(unfilled, { id: "x", secret: "y", files: {} });
    expect(unfilled).toEqual(before);
    expect(JSON.stringify(unfilled.objects)).toContain(Buffer.from("<bundle secret>").toString("base64"));
  });

  test("is refused where an object becomes too large by it", () => {
    const unfilled = plan(inputOf({ lists: {}, schemes: "", credentials: false, internal: false }, undefined));
    const error = caughtFrom(() => fillBundle(unfilled, { id: "x".repeat(1024 * 1024), secret: "y", files: {} }));
    expect(error).toMatchObject({
      code: "OBJECT_INVALID",
      message: expect.stringContaining("-dependencies") as string,
    });
  });
});
