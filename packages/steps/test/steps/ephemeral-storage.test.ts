import { runDriverSteps, sparkConf } from "@kindling/core-spec";
import { sampleSubmission } from "@kindling/core-spec/testing";
import { expect, test } from "vitest";
import { ephemeralStorage, initialDriverSpec, selectSteps } from "../../src/index.ts";

const KEY = "spark.kindling.ephemeralStorage";

function stepOf(entries: Record<string, string>) {
  return ephemeralStorage(sparkConf(entries, { sparkVersion: "4.3.0", env: () => undefined }));
}

test("driver and executors get the same limit, which is also their request", () => {
  const step = stepOf({ [KEY]: "20g" });
  const limits = { "ephemeral-storage": "20480Mi" };
  expect(step?.executorChanges?.limits).toEqual(limits);
  const submission = sampleSubmission();
  const steps = [...selectSteps(submission.conf, "driver"), ...(step === undefined ? [] : [step])];
  const { spec } = runDriverSteps(
    initialDriverSpec({}, undefined, () => {}),
    submission,
    steps,
  );
  expect(spec.driverContainer.resources?.limits).toMatchObject(limits);
  expect(spec.driverContainer.resources?.requests).not.toHaveProperty("ephemeral-storage");
});

test("nothing is asked for without the key", () => {
  expect(stepOf({})).toBeUndefined();
});

test.each(["0", "-1g", "much"])("%s is no size", (size) => {
  expect(() => stepOf({ [KEY]: size })).toThrow(KEY);
});
