import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { manifest } from "../src/testing/manifest.ts";
import { OperatedCluster } from "./support/operated-cluster.ts";

const SCHEDULES = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/scheduledsparkapplications";
const APPLICATIONS = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/sparkapplications";

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly labels: object; readonly ownerReferences: readonly object[] };
    readonly spec: object;
    readonly status?: object;
  }[];
}

function schedule(name: string, spec: object): object {
  const { spec: template } = manifest(name) as { readonly spec: object };
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "ScheduledSparkApplication",
    metadata: { name, namespace: "spark-jobs", labels: { team: "etl" } },
    spec: { schedule: "@every 1s", template, ...spec },
  };
}

test("a schedule starts runs, of which each is an application like others", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.script = () => ({ runMilliseconds: 200, exitCode: 0 });
  await operated.operate();
  await operated.cluster.send("POST", SCHEDULES, schedule("pi", { successfulRunHistoryLimit: 1 }));
  const first = await eventually(async () => {
    const { items } = (await operated.cluster.send("GET", APPLICATIONS)) as Listed;
    const [run] = items;
    if (run === undefined) throw new Error("there is no run");
    return run;
  });
  expect(first.metadata).toMatchObject({
    name: expect.stringMatching(/^pi-\d{19}$/),
    labels: { team: "etl", "sparkoperator.k8s.io/scheduled-app-name": "pi" },
    ownerReferences: [{ kind: "ScheduledSparkApplication", name: "pi", blockOwnerDeletion: true }],
  });
  expect(first.spec).toEqual((manifest("pi") as { spec: object }).spec);
  await eventually(async () => {
    expect(await operated.cluster.send("GET", `${SCHEDULES}/pi`)).toMatchObject({
      status: {
        scheduleState: "Scheduled",
        lastRunName: expect.stringMatching(/^pi-/),
        lastRun: expect.any(String),
        nextRun: expect.any(String),
        pastSuccessfulRunNames: [expect.stringMatching(/^pi-/)],
      },
    });
  });
  await operated.cluster.send("DELETE", `${SCHEDULES}/pi`);
  await eventually(async () => {
    expect(((await operated.cluster.send("GET", APPLICATIONS)) as Listed).items).toEqual([]);
  });
});

test("a schedule that is none says why, and is followed when it is mended", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.cluster.send("POST", SCHEDULES, schedule("pi", { schedule: "every night" }));
  await eventually(async () => {
    expect(await operated.cluster.send("GET", `${SCHEDULES}/pi`)).toMatchObject({
      status: { scheduleState: "FailedValidation", reason: expect.stringContaining("expected exactly 5 fields") },
    });
  });
  await operated.cluster.send("PATCH", `${SCHEDULES}/pi`, { spec: { schedule: "0 3 * * *" } });
  await eventually(async () => {
    expect(await operated.cluster.send("GET", `${SCHEDULES}/pi`)).toMatchObject({
      status: { scheduleState: "Scheduled", nextRun: expect.stringMatching(/T03:00:00Z$/) },
    });
  });
});
