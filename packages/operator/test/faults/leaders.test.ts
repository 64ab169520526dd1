import { openTerm, startManager } from "@kindling/controller";
import { systemOutside, type Clock } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { eventually } from "@kindling/test-kit/eventually";
import type { KubeClient } from "@kindling/kube";
import { expect, onTestFinished, test } from "vitest";
import { startOperator } from "../../src/operator.ts";
import { AdjustableClock } from "../support/adjustable-clock.ts";
import { pausableProcess } from "../support/pausable-process.ts";
import { OperatedCluster } from "../support/operated-cluster.ts";
import { testSettings } from "../../src/testing/test-settings.ts";
import { ATTENDED } from "./rounds/attended-life.ts";
import { embeddedStage, type EmbeddedStage } from "./rounds/embedded-stage.ts";
import { judged } from "../../src/testing/rounds/judge-life.ts";
import { makeNamespace } from "../../src/testing/rounds/namespaces.ts";
import { personWith } from "../../src/testing/rounds/person.ts";
import { requestKind } from "./rounds/request-kind.ts";

const NAMESPACE = "team";
const ELECTION = {
  ...{ name: "lock", namespace: NAMESPACE },
  ...{ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 200 },
};

async function stageWithNamespace(): Promise<EmbeddedStage & { readonly clock: AdjustableClock }> {
  const clock = new AdjustableClock();
  const stage = await embeddedStage({ operators: clock });
  await makeNamespace(stage, NAMESPACE);
  return { ...stage, clock };
}

interface Replica {
  readonly name: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Wraps the client that the operator gets for its term. */
  readonly inTerm?: (client: KubeClient) => KubeClient;
}

const log = jsonLog({ write: () => undefined }, systemOutside().clock, "error");

/** An operator beside others, where one of them leads. */
async function replica({ name, client, clock, inTerm = (writing) => writing }: Replica) {
  const outside = { ...systemOutside(), clock };
  const settings = testSettings({ namespaces: [NAMESPACE], leaderElection: ELECTION });
  const operator = startOperator(settings, { client, outside, log });
  await operator.ready;
  const leading = startManager({
    ...{ client, clock, random: outside.random, identity: name, log, lease: ELECTION },
    begin(term) {
      const own = openTerm({ client: inTerm(term.client), clock, random: outside.random, log });
      operator.begin(own);
      term.onEnd(() => own.end());
    },
  });
  const stop = async (): Promise<void> => {
    await leading.stop();
    await operator.stop();
  };
  onTestFinished(stop);
  return { leading, stop };
}

const CALLS = [
  "create pods",
  "apply services",
  "apply configmaps",
  "replace sparkapplications status",
  "create events",
];

test.each(
  CALLS.flatMap((call) => [
    { call, where: "before it knows whether it still leads" },
    { call, where: "after it has made sure that it leads" },
  ]),
)("a leader that stops at $call, $where, does nothing twice", async ({ call, where }) => {
  const stage = await stageWithNamespace();
  const { api } = stage.cluster;
  const process = pausableProcess(stage.clock);
  const isBefore = where.startsWith("before");
  const first = await replica({
    ...{ name: "first", clock: process.clock },
    client: process.client(stage.connect("first"), isBefore ? undefined : call),
    inTerm: (writing) => (isBefore ? process.client(writing, call) : writing),
  });
  await eventually(() => expect(first.leading.isLeading).toBe(true));
  const second = await replica({ name: "second", client: stage.connect("second"), clock: stage.clock });
  const person = personWith(stage, NAMESPACE);
  await person.create({ driver: { serviceAccount: "spark" } });
  await process.paused;
  await eventually(() => {
    if (!second.leading.isLeading) stage.clock.forward(ELECTION.leaseDurationMs);
    expect(second.leading.isLeading).toBe(true);
  });
  await person.waitFor("RUNNING");
  const seenBefore = api.writes.length;
  process.resume();
  await eventually(() => expect(first.leading.isLeading).toBe(false));
  await person.endDriver(0);
  await person.waitFor("COMPLETED");
  const seen = stage.bystander.seen(NAMESPACE);
  expect(judged(ATTENDED, seen)).toEqual([]);
  expect(seen.reasons).toEqual([...new Set(seen.reasons)]);
  // Other requests that were on their way when the process stopped are random, and do no harm: see above.
  const [, resource = ""] = call.split(" ");
  const late = api.writes
    .slice(seenBefore)
    .filter(({ headers, path }) => headers["user-agent"]?.startsWith("first") && path.includes(`/${resource}`));
  expect(late.map(requestKind).slice(isBefore ? 0 : 1)).toEqual([]);
});

test("an operator whose watch is behind when it begins to lead deletes nothing of the run that it does not know", async () => {
  const stage = await stageWithNamespace();
  const { api } = stage.cluster;
  const first = await replica({ name: "first", client: stage.connect("first"), clock: stage.clock });
  await eventually(() => expect(first.leading.isLeading).toBe(true));
  const person = personWith(stage, NAMESPACE);
  const restartPolicy = { type: "OnFailure", onFailureRetries: 1, onFailureRetryInterval: 60 };
  await person.create({ driver: { serviceAccount: "spark" }, restartPolicy });
  await person.waitFor("RUNNING");
  await person.endDriver(1);
  await person.waitFor("FAILING");
  api.fault = (request) =>
    requestKind(request) === "WATCH sparkapplications" && request.headers["user-agent"]?.startsWith("second") === true
      ? { kind: "instead", text: "", isLeftOpen: true }
      : undefined;
  const second = await replica({ name: "second", client: stage.connect("second"), clock: stage.clock });
  stage.clock.forward(60_000);
  await person.waitFor("RUNNING", 2);
  await first.stop();
  await eventually(() => expect(second.leading.isLeading).toBe(true));
  // It reads the present state itself.
  await eventually(() =>
    expect(api.requests.map((r) => `${r.headers["user-agent"]} ${requestKind(r)}`)).toContainEqual(
      expect.stringMatching(/^second.* GET sparkapplications$/),
    ),
  );
  await person.endDriver(0);
  await person.waitFor("COMPLETED");
  const life = { ...ATTENDED, faults: ["FAILING" as const], attempts: { submission: 2, execution: 2 } };
  expect(judged({ ...life, drivers: { least: 2, most: 2 } }, stage.bystander.seen(NAMESPACE))).toEqual([]);
});

test("an operator that is told to stop ends what it is about, and begins nothing", async () => {
  const operated = await OperatedCluster.start();
  const { api } = operated.cluster;
  let goOn: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const submissions = () => api.requests.filter((request) => requestKind(request) === "POST pods").length;
  api.fault = (request) => (requestKind(request) === "POST pods" ? { kind: "wait", until } : undefined);
  const { stop } = await operated.operate({ submissions: 1, controllerThreads: 1 });
  await Promise.all(["a", "b", "c", "d"].map((name) => operated.create(name)));
  await eventually(() => expect(submissions()).toBe(1));
  const stopped = stop();
  goOn();
  await stopped;
  const pods = await operated.pods();
  expect(pods).toHaveLength(1);
  const [name = ""] = pods.map(({ metadata }) => metadata?.name?.replace("-driver", ""));
  expect((await operated.application(name)).status).toMatchObject({ applicationState: { state: "SUBMITTED" } });
});
