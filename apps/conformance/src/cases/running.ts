import type { Answer } from "@kindling/test-kit/api-client";
import { at, type CaseContext, itemsOf } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { start, untilPhase } from "./running-pod.ts";

async function untilCondition(t: CaseContext, name: string, reason: string): Promise<JsonObject> {
  const conditionsOf = (body: JsonObject): JsonObject[] => (at(body, "status.conditions") ?? []) as JsonObject[];
  const { body } = await t.until(
    async () => await t.client.get(t.path("pods", name)),
    (answer) => conditionsOf(answer.body).some((condition) => condition["reason"] === reason),
    `a condition for ${reason}`,
  );
  return conditionsOf(body).find((condition) => condition["reason"] === reason) ?? {};
}

async function untilWaiting(t: CaseContext, name: string, reason: string): Promise<JsonObject> {
  const { body } = await t.until(
    async () => await t.client.get(t.path("pods", name)),
    (answer) => at(answer.body, "status.containerStatuses.0.state.waiting.reason") === reason,
    `a container to wait for ${reason}`,
  );
  return body;
}

/**
 * The different reasons of a pod's events of a type, when there are this many. Events are written after what they report, and
 * a busy cluster repeats some.
 */
async function untilReasons(t: CaseContext, pod: string, type: "Normal" | "Warning", count: number): Promise<string[]> {
  const reasons = (answer: Answer) => [...new Set(itemsOf(answer).map((event) => String(event["reason"])))].sort();
  const answer = await t.until(
    async () => await t.client.get(`${t.path("events")}?fieldSelector=involvedObject.name%3D${pod},type%3D${type}`),
    (found) => reasons(found).length >= count,
    `${count} reasons in events of type ${type}`,
  );
  return reasons(answer);
}

export const runningCases: readonly ConformanceCase[] = inNamespace("running pod", {
  "has a node, addresses and containers that run": async (t) => {
    await start(t, "one");
    const body = await untilPhase(t, "one", "Running");
    expectMatch(body, {
      spec: { nodeName: /./ },
      status: {
        hostIP: /^\d+\./,
        hostIPs: [{ ip: /^\d+\./ }],
        podIP: /^\d+\./,
        podIPs: [{ ip: /^\d+\./ }],
        startTime: /Z$/,
        qosClass: "BestEffort",
        containerStatuses: [
          {
            name: "main",
            ready: true,
            started: true,
            restartCount: 0,
            image: /./,
            imageID: /./,
            containerID: /^\w+:\/\/[0-9a-f]{64}$/,
            lastState: {},
            state: { running: { startedAt: /Z$/ } },
          },
        ],
      },
    });
  },
  "holds its conditions": async (t) => {
    await start(t, "one");
    const body = await untilPhase(t, "one", "Running");
    const conditions = at(body, "status.conditions") as JsonObject[];
    expectMatch(
      conditions.map((condition) => `${String(condition["type"])} ${String(condition["status"])}`),
      ["PodReadyToStartContainers True", "Initialized True", "Ready True", "ContainersReady True", "PodScheduled True"],
    );
  },
  "leaves a trail of events": async (t) => {
    await start(t, "one");
    await untilPhase(t, "one", "Running");
    expectMatch(await untilReasons(t, "one", "Normal", 4), ["Created", "Pulled", "Scheduled", "Started"]);
  },
  "says in its events who did what": async (t) => {
    await start(t, "one");
    await untilPhase(t, "one", "Running");
    const found = await t.until(
      async () => await t.client.get(`${t.path("events")}?fieldSelector=reason%3DStarted`),
      ({ body }) => (body["items"] as unknown[]).length > 0,
      "the event",
    );
    expectMatch(itemsOf(found)[0], {
      involvedObject: { kind: "Pod", name: "one", namespace: t.namespace, fieldPath: "spec.containers{main}" },
      type: "Normal",
      message: "Started container main",
      source: { component: "kubelet", host: /./ },
      reportingComponent: "kubelet",
      count: 1,
    });
  },
  "ends in its own time when deleted": async (t) => {
    await start(t, "one");
    await untilPhase(t, "one", "Running");
    const answer = await t.client.delete(t.path("pods", "one"), { gracePeriodSeconds: 2 });
    expectMatch(answer.body["metadata"], { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: 2 });
    await t.untilGone(t.path("pods", "one"));
  },
  "ends at once if forced": async (t) => {
    await start(t, "one");
    await untilPhase(t, "one", "Running");
    await t.client.delete(t.path("pods", "one"), { gracePeriodSeconds: 0 });
    expectRefusal(await t.client.get(t.path("pods", "one")), { code: 404 });
  },
  "fails when its time is over": async (t) => {
    await start(t, "one", { activeDeadlineSeconds: 1, restartPolicy: "Never" });
    const body = await untilPhase(t, "one", "Failed");
    expectMatch(body["status"], {
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    });
  },
  "waits for a key that its environment needs": async (t) => {
    const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "nobody", key: "x" } } }];
    await start(t, "one", { container: { env } });
    const body = await untilWaiting(t, "one", "CreateContainerConfigError");
    expectMatch(at(body, "status.containerStatuses.0.state.waiting.message"), 'configmap "nobody" not found');
    expectMatch(at(body, "status.phase"), "Pending");
  },
  "starts when what it waited for is there": async (t) => {
    const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "late", key: "x" } } }];
    await start(t, "one", { container: { env } });
    await untilWaiting(t, "one", "CreateContainerConfigError");
    await t.create(t.path("configmaps"), { metadata: { name: "late" }, data: { x: "y" } });
    await untilPhase(t, "one", "Running");
  },
  "waits for its volumes": async (t) => {
    await start(t, "one", {
      container: { volumeMounts: [{ name: "v", mountPath: "/v" }] },
      volumes: [{ name: "v", configMap: { name: "nobody" } }],
    });
    await t.until(
      async () => await t.client.get(`${t.path("events")}?fieldSelector=reason%3DFailedMount`),
      ({ body }) => (body["items"] as unknown[]).length > 0,
      "the event",
    );
    // A kubelet may report the pod's state later than the event.
    await t.until(
      async () => await t.client.get(t.path("pods", "one")),
      ({ body }) => at(body, "status.containerStatuses.0.state.waiting.reason") === "ContainerCreating",
      "the container's state",
    );
  },
  "does not wait for volumes that no container mounts": async (t) => {
    await start(t, "one", { volumes: [{ name: "v", configMap: { name: "nobody" } }] });
    await untilPhase(t, "one", "Running");
  },
});

export const schedulingCases: readonly ConformanceCase[] = inNamespace("scheduling", {
  "waits for a node that is big enough": async (t) => {
    await start(t, "one", { container: { resources: { requests: { cpu: "1000000" } } } });
    const condition = await untilCondition(t, "one", "Unschedulable");
    expectMatch(condition, {
      type: "PodScheduled",
      status: "False",
      message:
        /^0\/\d+ nodes are available: \d+ Insufficient cpu\. .*preemption: 0\/\d+ nodes are available: \d+ Preemption is not helpful for scheduling\.$/,
    });
    expectMatch(await untilReasons(t, "one", "Warning", 1), ["FailedScheduling"]);
  },
  "waits for a node with the labels wanted": async (t) => {
    await start(t, "one", { nodeSelector: { "example.com/no": "where" } });
    const condition = await untilCondition(t, "one", "Unschedulable");
    expectMatch(
      condition["message"],
      /^0\/\d+ nodes are available: \d+ node\(s\) didn't match Pod's node affinity\/selector\./,
    );
  },
  "waits for the claim of a volume": async (t) => {
    await start(t, "one", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "nobody" } }] });
    const condition = await untilCondition(t, "one", "Unschedulable");
    expectMatch(condition["message"], /persistentvolumeclaim "nobody" not found/);
  },
  "leaves alone what is another scheduler's": async (t) => {
    await start(t, "mine");
    await start(t, "other", { schedulerName: "someone-else" });
    await untilPhase(t, "mine", "Running");
    const { body } = await t.client.get(t.path("pods", "other"));
    expectMatch(body, { spec: { nodeName: ABSENT }, status: { phase: "Pending", conditions: ABSENT } });
  },
  "begins when the last gate is gone": async (t) => {
    await start(t, "one", { schedulingGates: [{ name: "example.com/gate" }] });
    await untilCondition(t, "one", "SchedulingGated");
    await t.client.patch(t.path("pods", "one"), "merge", { spec: { schedulingGates: null } });
    await untilPhase(t, "one", "Running");
  },
});
