import { expect, test } from "vitest";
import { planRun, specNotices } from "../../../src/controllers/submission/plan-run.ts";
import { anApplication } from "../../resources/an-application.ts";
import { testSettings } from "../../../src/testing/test-settings.ts";

const SUBMISSION_ID = "3e0b7cf4-3a0f-8f1c-9a3b-0d5c9f6d7f11";

function planned(application = anApplication(), installed: Readonly<Record<string, string>> = {}) {
  const settings = testSettings({
    batchScheduler: { enabled: true, kubeSchedulerNames: [], default: undefined },
    sparkConf: { "spark.a": "operator", "spark.b": "operator" },
  });
  return planRun(application, { settings, submissionId: SUBMISSION_ID, installed });
}

test("a plan says what is made before the driver, and what is submitted then", () => {
  const application = anApplication({ batchScheduler: "volcano", sparkUIOptions: {} });
  const { objects, request } = planned(application);
  expect(objects.map(({ object }) => object.kind)).toEqual(["PodGroup"]);
  expect(request).toMatchObject({ name: "pi", namespace: "team", submissionId: SUBMISSION_ID });
});

test("the application's own sparkConf comes before the operator's, and that before the installation's", () => {
  const application = anApplication({ sparkConf: { "spark.a": "application" } });
  const { conf } = planned(application, { "spark.kindling.scheduler": "gateway" }).request;
  expect(conf).toMatchObject({
    "spark.a": "application",
    "spark.b": "operator",
    "spark.kindling.scheduler": "gateway",
  });
});

test("the same application is planned in the same way each time", () => {
  const texts = [1, 2].map(() => JSON.stringify(planned(anApplication({ batchScheduler: "volcano" }))));
  expect(texts[0]).toBe(texts[1]);
});

test("of a field that has no effect an application is told, whatever comes of its plan", () => {
  const application = anApplication({ sparkConf: { "spark.kubernetes.file.upload.path": "s3a://bucket/uploads" } });
  expect(specNotices(anApplication())).toEqual([]);
  expect(specNotices(application).length).toBeGreaterThan(0);
});
