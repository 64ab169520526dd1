import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { Json, JsonObject } from "@kindling/test-kit/json";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { shellImage, untilPhase } from "./running-pod.ts";

// A shell command, and the same behaviour in annotations for a runtime that only pretends.
const DONE = ["sh", "-c", "echo so it ends"];
const BROKEN = ["sh", "-c", "echo so it fails; exit 3"];
const IDLE = ["sh", "-c", "trap 'exit 0' TERM; sleep 1000 & wait"];
const MISSING = ["/no-such-program"];
const SCRIPT = "hollow.devcluster.kindling";

/** A pod with the containers in `done`, which end successfully, and those in `idle`, which run until they are ended. */
async function start(t: CaseContext, given: JsonObject, scripts: JsonObject): Promise<void> {
  const image = await shellImage(t);
  const complete = (containers: unknown): JsonObject[] =>
    ((containers ?? []) as JsonObject[]).map((one) => ({ image, imagePullPolicy: "IfNotPresent", ...one }));
  const { containers, initContainers, ...spec } = given;
  await t.create(t.path("pods"), {
    metadata: {
      name: "one",
      annotations: Object.fromEntries(Object.entries(scripts).map(([name, value]) => [`${SCRIPT}/${name}`, value])),
    },
    spec: {
      terminationGracePeriodSeconds: 1,
      ...spec,
      containers: complete(containers),
      ...(initContainers === undefined ? {} : { initContainers: complete(initContainers) }),
    },
  });
}

async function untilStatus(
  t: CaseContext,
  path: string,
  wanted: (value: Json | undefined) => boolean,
): Promise<JsonObject> {
  const { body } = await t.until(
    async () => await t.client.get(t.path("pods", "one")),
    (answer) => wanted(at(answer.body, `status.${path}`)),
    path,
  );
  return body;
}

/**
 * Waits until the first container has been started again: the kubelet counts the start before it reports how the last run
 * ended.
 */
async function untilStartedAgain(t: CaseContext): Promise<JsonObject> {
  return await untilStatus(t, "containerStatuses.0", (status) => {
    const startedAgain = Number(at(status, "restartCount")) >= 1;
    return startedAgain && at(status, "lastState.terminated") !== undefined;
  });
}

function conditionsOf(body: JsonObject): Record<string, string> {
  const conditions = at(body, "status.conditions") as { type: string; status: string; reason?: string }[];
  return Object.fromEntries(
    conditions.map(({ type, status, reason }) => [type, reason === undefined ? status : `${status} ${reason}`]),
  );
}

const ENDED = {
  exitCode: 0,
  reason: "Completed",
  startedAt: /Z$/,
  finishedAt: /Z$/,
  containerID: /:\/\/[0-9a-f]{64}$/,
};

export const endingCases: readonly ConformanceCase[] = inNamespace("ending pod", {
  "succeeds when all its containers have": async (t) => {
    const containers = ["a", "b"].map((name) => ({ name, command: DONE }));
    await start(t, { restartPolicy: "Never", containers }, { "run-for": "0s" });
    const body = await untilPhase(t, "one", "Succeeded");
    const status = { ready: false, started: false, restartCount: 0, lastState: {}, state: { terminated: ENDED } };
    expectMatch(at(body, "status.containerStatuses"), [
      { name: "a", ...status },
      { name: "b", ...status },
    ]);
  },
  "keeps its address, and says in its conditions that it is done": async (t) => {
    await start(t, { restartPolicy: "Never", containers: [{ name: "main", command: DONE }] }, { "run-for": "0s" });
    await untilPhase(t, "one", "Succeeded");
    const body = await untilStatus(t, "conditions.0.status", (status) => status === "False");
    expectMatch(conditionsOf(body), {
      PodReadyToStartContainers: "False",
      Initialized: "True PodCompleted",
      Ready: "False PodCompleted",
      ContainersReady: "False PodCompleted",
      PodScheduled: "True",
    });
    expectMatch(at(body, "status.podIP"), /^\d+\./);
  },
  "is done as soon as it shall not be started again": async (t) => {
    await start(t, { restartPolicy: "OnFailure", containers: [{ name: "main", command: DONE }] }, { "run-for": "0s" });
    const body = await untilPhase(t, "one", "Succeeded");
    expectMatch(at(body, "status.containerStatuses.0.restartCount"), 0);
  },
  "is started again if it shall always run": async (t) => {
    await start(t, { containers: [{ name: "main", command: DONE }] }, { "run-for": "0s" });
    const body = await untilStartedAgain(t);
    expectMatch(at(body, "status.phase"), "Running");
    expectMatch(at(body, "status.containerStatuses.0.lastState"), { terminated: ENDED });
  },
  "waits longer and longer before it is started again": async (t) => {
    await start(t, { containers: [{ name: "main", command: DONE }] }, { "run-for": "0s" });
    const waiting = "containerStatuses.0.state.waiting.reason";
    const body = await untilStatus(t, waiting, (reason) => reason === "CrashLoopBackOff");
    const { uid } = body["metadata"] as { uid: string };
    expectMatch(at(body, "status.containerStatuses.0"), {
      ready: false,
      lastState: { terminated: ENDED },
      state: {
        waiting: {
          message: `back-off 10s restarting failed container=main pod=one_${t.namespace}(${uid})`,
          reason: "CrashLoopBackOff",
        },
      },
    });
    expectMatch(conditionsOf(body), { Ready: "False ContainersNotReady", Initialized: "True" });
  },
  "fails if a container cannot be started": async (t) => {
    await start(
      t,
      { restartPolicy: "Never", containers: [{ name: "main", command: MISSING }] },
      { "start-error": 'exec: "/no-such-program": stat /no-such-program: no such file or directory' },
    );
    const body = await untilPhase(t, "one", "Failed");
    expectMatch(body["status"], {
      reason: ABSENT,
      containerStatuses: [
        {
          ready: false,
          state: { terminated: { exitCode: 128, reason: "StartError", message: /\/no-such-program: no such file/ } },
        },
      ],
    });
  },
  "fails if its container does": async (t) => {
    const containers = [{ name: "main", command: BROKEN }];
    await start(t, { restartPolicy: "Never", containers }, { "run-for": "0s", "exit-code": "3" });
    const body = await untilPhase(t, "one", "Failed");
    expectMatch(at(body, "status.containerStatuses.0.state.terminated"), { ...ENDED, exitCode: 3, reason: "Error" });
    expectMatch(conditionsOf(body), { Initialized: "True", Ready: "False PodFailed" });
  },
  "is started again after a failure": async (t) => {
    const containers = [{ name: "main", command: BROKEN }];
    await start(t, { restartPolicy: "OnFailure", containers }, { "run-for": "0s", "exit-code": "3" });
    const body = await untilStartedAgain(t);
    expectMatch(at(body, "status.containerStatuses.0.lastState.terminated"), { exitCode: 3, reason: "Error" });
  },
  "fails if one of its containers does": async (t) => {
    const containers = [
      { name: "good", command: DONE },
      { name: "bad", command: MISSING },
    ];
    await start(t, { restartPolicy: "Never", containers }, { "run-for": "0s", "bad.start-error": "no such file" });
    const body = await untilPhase(t, "one", "Failed");
    // In the order of their names.
    expectMatch(at(body, "status.containerStatuses"), [
      { name: "bad", state: { terminated: { exitCode: 128 } } },
      { name: "good", state: { terminated: { exitCode: 0 } } },
    ]);
  },
  "runs its init containers first, one after the other": async (t) => {
    await start(
      t,
      {
        initContainers: ["first", "second"].map((name) => ({ name, command: DONE })),
        containers: [{ name: "main", command: IDLE }],
      },
      { "first.run-for": "0s", "second.run-for": "0s" },
    );
    const body = await untilPhase(t, "one", "Running");
    const done = { ready: true, started: false, restartCount: 0, state: { terminated: ENDED } };
    expectMatch(at(body, "status.initContainerStatuses"), [
      { name: "first", ...done },
      { name: "second", ...done },
    ]);
    expectMatch(conditionsOf(body), { Initialized: "True" });
  },
  "fails if an init container does": async (t) => {
    await start(
      t,
      {
        restartPolicy: "Never",
        initContainers: [{ name: "first", command: MISSING }],
        containers: [{ name: "main", command: IDLE }],
      },
      { "first.start-error": "no such file" },
    );
    const body = await untilPhase(t, "one", "Failed");
    expectMatch(body["status"], {
      initContainerStatuses: [{ ready: false, state: { terminated: { reason: "StartError" } } }],
      containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
    });
    expectMatch(conditionsOf(body), { Initialized: "False ContainersNotInitialized" });
  },
  "waits while an init container runs": async (t) => {
    await start(
      t,
      { initContainers: [{ name: "first", command: IDLE }], containers: [{ name: "main", command: IDLE }] },
      {},
    );
    const body = await untilStatus(t, "initContainerStatuses.0.state.running", (running) => running !== undefined);
    expectMatch(body["status"], {
      phase: "Pending",
      initContainerStatuses: [{ ready: false, started: true }],
      containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
    });
    expectMatch(conditionsOf(body), {
      Initialized: "False ContainersNotInitialized",
      Ready: "False ContainersNotReady",
    });
  },
  "ends its sidecars when all else is done": async (t) => {
    await start(
      t,
      {
        restartPolicy: "Never",
        initContainers: [{ name: "side", command: IDLE, restartPolicy: "Always" }],
        containers: [{ name: "main", command: DONE }],
      },
      { "main.run-for": "100ms" },
    );
    const body = await untilPhase(t, "one", "Succeeded");
    expectMatch(at(body, "status.initContainerStatuses.0.state"), { terminated: { finishedAt: /Z$/ } });
    expectMatch(conditionsOf(body), { Initialized: "True PodCompleted" });
  },
  "has the log of its containers": async (t) => {
    await start(
      t,
      { restartPolicy: "Never", containers: [{ name: "main", command: DONE }] },
      { "run-for": "0s", log: "so it ends" },
    );
    await untilPhase(t, "one", "Succeeded");
    const log = `${t.path("pods", "one")}/log`;
    const whole = await t.client.get(log);
    expectMatch([whole.status, whole.text], [200, /^so it ends\n$/]);
    expectMatch((await t.client.get(`${log}?timestamps=true`)).text, /^\d{4}-\d\d-\d\dT[\d:.]+Z so it ends/);
    expectMatch((await t.client.get(`${log}?tailLines=0`)).text, "");
    expectMatch((await t.client.get(`${log}?limitBytes=5`)).text, "so it");
    expectMatch((await t.client.get(`${log}?sinceTime=2999-01-01T00:00:00Z`)).text, "");
    expectMatch((await t.client.get(`${log}?follow=true`)).text, /^so it ends\n$/);
  },
  "has the log of the run before": async (t) => {
    await start(t, { containers: [{ name: "main", command: DONE }] }, { "run-for": "0s", log: "so it ends" });
    await untilStatus(t, "containerStatuses.0.state.waiting.reason", (reason) => reason === "CrashLoopBackOff");
    // A kubelet that replaces the container says for a moment that it cannot read the log of the last one.
    await t.until(
      async () => await t.client.get(`${t.path("pods", "one")}/log?previous=true`),
      ({ status, text }) => status === 200 && text === "so it ends\n",
      "the log of the run before",
    );
  },
  "has no log of a run before the first": async (t) => {
    await start(t, { containers: [{ name: "main", command: IDLE }] }, {});
    await untilPhase(t, "one", "Running");
    const answer = await t.client.get(`${t.path("pods", "one")}/log?previous=true`);
    expectRefusal(answer, { code: 400, message: 'previous terminated container "main" in pod "one" not found' });
  },
});
