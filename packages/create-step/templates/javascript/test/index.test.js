// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { examineStep, sampleExecutor, sampleSubmission } from "@kindling/core-spec/testing";
import { driverPodWith, executorPodWith } from "@kindling/steps/testing";
import step from "../src/index.js";

const conf = { "spark.my-step.owner": "ada" };

test("it changes nothing that it was given, only adds, and declares what it reads", () => {
  const submissions = [sampleSubmission(), sampleSubmission({ conf })];
  const executors = [sampleExecutor(), sampleExecutor({ conf })];
  assert.deepEqual(examineStep(step, { submissions, executors }), []);
});

for (const sparkVersion of ["3.5.9", "4.3.0"]) {
  test(`the driver of Spark ${sparkVersion} has an owner`, () => {
    const { pod } = driverPodWith(step, { sparkVersion, conf });
    assert.equal(pod.metadata?.annotations?.["example.com/owner"], "ada");
  });

  // Executors are created by the driver, from a pod template, or by the gateway, which runs the step itself.
  for (const executorsBy of /** @type {const} */ (["driver", "gateway"])) {
    test(`its executors, made by the ${executorsBy}, have one as well`, () => {
      const { pod } = executorPodWith(step, { sparkVersion, executorsBy, conf });
      assert.equal(pod.metadata?.annotations?.["example.com/owner"], "ada");
    });
  }
}

test("without its key it changes nothing", () => {
  assert.deepEqual(driverPodWith(step), driverPodWith([]));
  assert.deepEqual(executorPodWith(step), executorPodWith([]));
});
