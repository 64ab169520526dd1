// @ts-check
import { emptyDriverSpec } from "@kindling/core-spec";
import { examineStep, sampleSubmission } from "@kindling/core-spec/testing";
import { expect, test } from "vitest";
import step from "../src/index.js";

const submission = sampleSubmission({ conf: { "spark.example.costCenter": "42" } });

test("it is pure, additive and deterministic, and declares what it reads", () => {
  expect(examineStep(step, { submissions: [submission, sampleSubmission()] })).toEqual([]);
});

test("the driver carries the label", () => {
  const spec = step.configureDriver?.(emptyDriverSpec({}), submission);
  expect(spec?.driverPod.metadata?.labels).toEqual({ "example.com/cost-center": "42" });
});

test("without the key there is no label", () => {
  const spec = emptyDriverSpec({});
  expect(step.configureDriver?.(spec, sampleSubmission())).toBe(spec);
});
