import { againLater, done, startController } from "@kindling/controller";
import { ManualClock, systemRandom } from "@kindling/outside";
import { expect, test } from "vitest";
import { metricsOf, series } from "./scrape.ts";

const STATES = '{name="sparkapplication",controller="sparkapplication"}';
const SUBMISSIONS = '{name="sparkapplication-submissions",controller="sparkapplication"}';

test("a queue tells how long keys wait and are worked on", async () => {
  const clock = new ManualClock();
  const metrics = metricsOf({}, { clock });
  const observer = metrics.observeWork("sparkapplication", 16);
  observer.added("a");
  observer.added("a");
  observer.added("b");
  observer.added("c");
  await clock.advance(2_000);
  observer.started("a");
  await clock.advance(500);
  observer.started("b");
  await clock.advance(1_000);
  expect(await series(metrics, "workqueue_")).toMatchObject({
    [`workqueue_depth${STATES}`]: 1,
    [`workqueue_adds_total${STATES}`]: 3,
    [`workqueue_queue_duration_seconds_sum${STATES}`]: 4.5,
    [`workqueue_queue_duration_seconds_count${STATES}`]: 2,
    [`workqueue_unfinished_work_seconds${STATES}`]: 2.5,
    [`workqueue_longest_running_processor_seconds${STATES}`]: 1.5,
  });
  expect(await series(metrics, "controller_runtime_active_workers")).toEqual({
    'controller_runtime_active_workers{controller="sparkapplication"}': 2,
  });
  observer.ended("a", "success");
  observer.ended("b", "error");
  observer.retried("b");
  observer.stopped();
  const after = await series(metrics, "workqueue_");
  expect(after).toMatchObject({
    [`workqueue_work_duration_seconds_sum${STATES}`]: 2.5,
    [`workqueue_retries_total${STATES}`]: 1,
  });
  expect(after).not.toHaveProperty([`workqueue_depth${STATES}`]);
  expect(after).not.toHaveProperty([`workqueue_unfinished_work_seconds${STATES}`]);
  expect(await series(metrics, "controller_runtime_reconcile_")).toMatchObject({
    'controller_runtime_reconcile_total{controller="sparkapplication",result="success"}': 1,
    'controller_runtime_reconcile_total{controller="sparkapplication",result="error"}': 1,
    'controller_runtime_reconcile_errors_total{controller="sparkapplication"}': 1,
    'controller_runtime_reconcile_time_seconds_count{controller="sparkapplication"}': 2,
  });
});

test("submissions are a queue of the controller of applications", async () => {
  const clock = new ManualClock();
  const metrics = metricsOf({}, { clock });
  let isBroken = true;
  const line = (): void => undefined;
  const place = { clock, random: systemRandom(), log: { debug: line, info: line, warn: line, error: line } };
  const submissions = startController(
    {
      name: "submission",
      watches: [],
      workers: 3,
      async reconcile() {
        if (isBroken) throw new Error("broken");
        return done;
      },
    },
    { ...place, observer: metrics.observeWork("sparkapplication-submissions", 3) },
  );
  const states = startController(
    {
      name: "application",
      watches: [],
      workers: 2,
      async reconcile(key) {
        if (key === "new") submissions.add(key);
        return key === "again" && isBroken ? againLater : done;
      },
    },
    { ...place, observer: metrics.observeWork("sparkapplication", 2) },
  );
  for (const key of ["old", "new", "again"]) states.add(key);
  await settled();
  isBroken = false;
  await clock.advance(60_000);
  await settled();
  await states.stop();
  await submissions.stop();
  expect(await series(metrics, "controller_runtime_reconcile_total")).toEqual({
    'controller_runtime_reconcile_total{controller="sparkapplication",result="success"}': 4,
    'controller_runtime_reconcile_total{controller="sparkapplication",result="requeue"}': 1,
    'controller_runtime_reconcile_total{controller="sparkapplication",result="error"}': 1,
  });
  expect(await series(metrics, "workqueue_retries_total")).toEqual({
    [`workqueue_retries_total${STATES}`]: 1,
    [`workqueue_retries_total${SUBMISSIONS}`]: 1,
  });
  expect(await series(metrics, "workqueue_adds_total")).toEqual({
    [`workqueue_adds_total${STATES}`]: 4,
    [`workqueue_adds_total${SUBMISSIONS}`]: 2,
  });
  expect(await series(metrics, "controller_runtime_max")).toEqual({
    'controller_runtime_max_concurrent_reconciles{controller="sparkapplication"}': 5,
  });
});

/** Resolves when everything is done that does not wait for the clock. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
