import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { APPLICATION_STATES } from "@kindling/spark-application";
import { OperatedCluster } from "../support/operated-cluster.ts";
import { allSettled } from "./rounds/all-settled.ts";

const STATES = [...APPLICATION_STATES, "NONSENSE"];
/** Ids that no operator has written. */
const IDS = [
  "garbage",
  "7d444840-9dc0-41d1-b245-5ffdce74fad2",
  "00000000-0000-8000-8000-000000000000",
  "x".repeat(100_000),
];

function nameOf(state: string, suffix: string): string {
  return `${state.toLowerCase().replaceAll("_", "-") || "new"}-${suffix}`;
}

test("a status that was written by hand, whatever it says, comes to an end and holds up nobody", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.script = () => ({ runMilliseconds: 500, exitCode: 0 });
  const cases = STATES.flatMap((state, index) => [
    { state, name: nameOf(state, "without-id"), submissionID: undefined },
    { state, name: nameOf(state, "with-id"), submissionID: IDS[index % IDS.length] },
  ]);
  await Promise.all(cases.map(({ name }) => operated.create(name)));
  for (const { state, name, submissionID } of cases) {
    const driverInfo = { podName: index(name) % 2 === 0 ? `${name}-driver` : "another" };
    const times = { lastSubmissionAttemptTime: "2020-01-01T00:00:00Z" };
    await operated.editStatus(name, { ...times, submissionID, driverInfo, applicationState: { state } });
  }
  await operated.operate();
  await operated.create("good");
  await operated.inState("good", "COMPLETED");
  await eventually(async () => {
    const states = Object.values(await allSettled(operated)).map(({ applicationState }) => applicationState.state);
    expect(states.filter((state) => state !== "COMPLETED" && state !== "FAILED")).toEqual([]);
  });
  const drivers = (await operated.pods()).map(({ metadata }) => metadata?.name);
  expect(drivers).toEqual([...new Set(drivers)]);

  function index(name: string): number {
    return cases.findIndex((one) => one.name === name);
  }
});

test("a state that is written by hand while a driver runs leads to no second driver beside it", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  const states = STATES.filter((state) => state !== "");
  await Promise.all(states.map((state) => operated.create(nameOf(state, "run"))));
  await Promise.all(states.map((state) => operated.inState(nameOf(state, "run"), "RUNNING")));
  await Promise.all(states.map((state) => operated.editStatus(nameOf(state, "run"), { applicationState: { state } })));
  await operated.create("good");
  await operated.inState("good", "RUNNING");
  const statuses = await allSettled(operated);
  const drivers = (await operated.pods()).map(({ metadata }) => metadata?.name);
  expect(drivers).toEqual([...new Set(drivers)]);
  expect(
    Object.fromEntries(states.map((state) => [state, statuses[nameOf(state, "run")]?.applicationState.state])),
  ).toEqual({
    ...{ SUBMITTED: "RUNNING", RUNNING: "RUNNING", UNKNOWN: "RUNNING", NONSENSE: "RUNNING" },
    // These make the run begin again.
    ...{
      PENDING_RERUN: "RUNNING",
      INVALIDATING: "RUNNING",
      SUSPENDING: "RUNNING",
      SUSPENDED: "RUNNING",
      RESUMING: "RUNNING",
    },
    ...{ COMPLETED: "COMPLETED", SUCCEEDING: "COMPLETED" },
    ...{ FAILED: "FAILED", FAILING: "FAILED", SUBMISSION_FAILED: "FAILED" },
  });
});

test("a submission's id that is written by hand while a driver runs leaves no driver that nobody knows of", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  await operated.create("pi");
  await operated.inState("pi", "RUNNING");
  await operated.editStatus("pi", { submissionID: "garbage" });
  await operated.inState("pi", "FAILED");
  await eventually(async () => expect(await operated.pods()).toEqual([]));
});

test("of two applications that want one driver pod, the second never touches that of the first", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  const shared = { driver: { serviceAccount: "spark", podName: "shared" } };
  await operated.create("first", shared);
  await operated.inState("first", "RUNNING");
  // The service of the driver's page is written down after the state.
  const first = await eventually(async () => {
    const application = await operated.application("first");
    expect(application.status?.driverInfo).toHaveProperty("webUIAddress");
    return application;
  });
  await operated.create("second", shared);
  const second = await operated.inState("second", "FAILED");
  expect(second.status).toMatchObject({
    submissionAttempts: 1,
    applicationState: { errorMessage: "failed to submit spark application: driver pod already exist" },
  });
  await operated.edit("second", { arguments: ["again"] });
  await eventually(async () => {
    const { status } = await operated.application("second");
    expect(status?.submissionID).not.toBe(second.status?.submissionID);
    expect(status?.applicationState.state).toBe("FAILED");
  });
  await operated.edit("second", { suspend: true, arguments: ["once more"] });
  await operated.inState("second", "SUSPENDED");
  await operated.editStatus("second", {
    submissionID: first.status?.submissionID,
    driverInfo: { podName: "shared" },
    applicationState: { state: "FAILING" },
  });
  await operated.inState("second", "SUSPENDED");
  await operated.remove("second");
  await eventually(async () => await expect(operated.application("second")).rejects.toThrow("404"));
  const pods = await operated.pods();
  expect(pods.map(({ metadata }) => metadata?.uid)).toHaveLength(1);
  expect(pods[0]?.metadata).toMatchObject({ name: "shared", ownerReferences: [{ name: "first" }] });
  expect(pods[0]?.metadata?.deletionTimestamp).toBeUndefined();
  expect((await operated.application("first")).status).toEqual(first.status);
});
