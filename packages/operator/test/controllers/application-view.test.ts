import { systemOutside } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { expect, onTestFinished, test } from "vitest";
import { decide } from "../../src/application-states/decide.ts";
import { startOperatorCaches } from "../../src/caches/operator-caches.ts";
import { viewOf } from "../../src/controllers/application/application-view.ts";
import { createSubmittedSpecs } from "../../src/controllers/application/submitted-specs.ts";
import { testSettings } from "../../src/testing/test-settings.ts";
import { application, NOW, secondsAgo, view } from "../application-states/views.ts";
import { OperatedCluster } from "../support/operated-cluster.ts";

test("a driver counts as missing only if the API server was asked for it, also where its grace period ends meanwhile", async () => {
  const operated = await OperatedCluster.start();
  const client = await operated.client();
  const outside = systemOutside();
  const log = jsonLog({ write: () => undefined }, outside.clock, "error");
  const caches = startOperatorCaches({ client, settings: testSettings(), log, pickLabels: () => ({}), ...outside });
  onTestFinished(() => caches.stop());
  await caches.synced;
  const asked = (): number =>
    operated.cluster.api.requests.filter(({ path }) => path === "/api/v1/namespaces/spark-jobs/pods/pi-driver").length;
  // A timer may fire a moment early, and then the period ends between two questions for the time.
  const times = [NOW - 1, NOW + 1];
  const viewer = {
    ...{ client, caches, submittedSpecs: createSubmittedSpecs(), mostTracked: 10 },
    rules: view(application()).rules,
    promised: () => [],
    now: () => times.shift() ?? NOW + 1,
  };
  const stored = application({
    applicationState: { state: "SUBMITTED" },
    submissionID: "a",
    driverInfo: { podName: "pi-driver" },
    lastSubmissionAttemptTime: secondsAgo(10),
  });
  expect(decide(await viewOf(viewer, stored, {})).status.applicationState).toEqual({ state: "SUBMITTED" });
  expect(asked()).toBe(0);
  expect(decide(await viewOf(viewer, stored, {})).status.applicationState).toMatchObject({ state: "FAILED" });
  expect(asked()).toBe(1);
});
