import { describe, expect, test } from "vitest";
import { diagnose, type Evidence } from "../src/index.ts";
import { container, CREATED, evidence, event, NOW, pod } from "./fixtures/pods.ts";
import { type Expected, matching, told } from "./fixtures/told.ts";

describe("a driver that waits", () => {
  const unschedulable = pod({
    status: {
      conditions: [
        {
          ...{ type: "PodScheduled", status: "False", reason: "Unschedulable" },
          message:
            "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found.",
        },
      ],
    },
  });
  const noImage = (reason: string, message: string) =>
    pod({ node: "node-1", status: { containerStatuses: [container({ waiting: { reason, message } })] } });
  const creating = pod({
    node: "node-1",
    status: { containerStatuses: [container({ waiting: { reason: "ContainerCreating" } })] },
  });
  const inInitContainer = (name: string) =>
    pod({ node: "n1", status: { initContainerStatuses: [container({ running: {} }, { name })] } });
  const gated = (gate: string, labels: Record<string, string>) =>
    pod({ schedulingGates: [{ name: gate }], metadata: { labels } });
  const held = gated("scheduler.kindling/admission", {});
  const notFound =
    'Back-off pulling image "apache/spark:4.3.0": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/apache/spark:4.3.0": failed to resolve reference: not found';

  test.each<[string, Evidence, Expected]>([
    [
      "for a node",
      evidence(unschedulable),
      {
        ...{ state: "Insufficient memory", cause: "Unschedulable", severity: "obstacle", since: CREATED },
        summary: /2 Insufficient memory$/,
        advice: /spark\.driver\.memory/,
      },
    ],
    [
      "for its image",
      evidence(noImage("ImagePullBackOff", notFound)),
      {
        ...{ state: "ImagePullBackOff", cause: "ImagePull" },
        summary: /cannot be had: failed to resolve reference: not found$/,
        advice: /spark\.kubernetes\.container\.image/,
      },
    ],
    [
      "for its image, of which only an event tells why",
      ((driver) =>
        evidence(driver, {
          events: [event(driver, "Failed", 'Failed to pull image "apache/spark:4.3.0": 401 unauthorized')],
        }))(noImage("ImagePullBackOff", 'Back-off pulling image "apache/spark:4.3.0"')),
      { state: "ImagePullBackOff", summary: /unauthorized/, advice: /pullSecrets/ },
    ],
    [
      "for a Secret that it mounts",
      evidence(creating, {
        events: [
          event(creating, "FailedMount", 'MountVolume.SetUp failed for volume "s" : secret "keys" not found', 9),
        ],
      }),
      {
        state: "FailedMount",
        cause: "Volume",
        times: 9,
        summary: /secret "keys" not found/,
        advice: /make the secret keys/,
      },
    ],
    [
      "for the certificates of the scheduler's gateway",
      evidence(creating, {
        events: [
          event(
            creating,
            "FailedMount",
            'MountVolume.SetUp failed for volume "v" : configmap "kindling-gateway-ca" not found',
          ),
        ],
      }),
      {
        state: "FailedMount",
        cause: "Volume",
        summary: /kindling-gateway-ca/,
        advice: /spark\.kindling\.scheduler\.caFile$/,
      },
    ],
    [
      "for its turn in a queue of the scheduler's gateway",
      evidence(gated("scheduler.kindling/admission", { "scheduler.kindling/queue": "etl" }), { events: undefined }),
      {
        ...{ state: "SchedulingGated", cause: "SchedulingGated", severity: "obstacle", since: CREATED },
        summary: /waits in queue etl of the gateway for room/,
        advice: /spark\.kindling\.scheduler\.minExecutors/,
      },
    ],
    [
      "for a gateway that does not answer",
      evidence(gated("scheduler.kindling/admission", { "scheduler.kindling/queue": "etl" })),
      {
        state: "SchedulingGated",
        summary: /waits in queue etl of the gateway, and no gateway has looked at it yet$/,
        advice: /^check that the gateway runs and serves this namespace/,
      },
    ],
    [
      "for a gateway that has stopped answering",
      evidence(held, {
        events: [
          {
            ...event(held, "AwaitingAdmission", "waiting for 4 CPUs in queue etl"),
            ...{ source: "kindling-gateway", last: "2025-12-31T23:00:00Z" },
          },
        ],
      }),
      { state: "SchedulingGated", summary: /it has said nothing since$/, advice: /^check that the gateway runs/ },
    ],
    [
      "for what the gateway says in an event",
      evidence(held, {
        events: [
          { ...event(held, "AwaitingAdmission", "waiting for 4 CPUs in queue etl"), source: "kindling-gateway" },
          { ...event(held, "AwaitingAdmission", "send money"), source: "somebody" },
        ],
      }),
      { state: "SchedulingGated", summary: /held back by the gateway: waiting for 4 CPUs in queue etl$/ },
    ],
    [
      "for its turn in the gateway's default queue",
      evidence(gated("scheduler.kindling/admission", {})),
      { state: "SchedulingGated", summary: /waits in the gateway's default queue/ },
    ],
    [
      "for somebody else's gate",
      evidence(gated("example.org/later", {})),
      { state: "SchedulingGated", summary: /held back by scheduling gates: example\.org\/later$/ },
    ],
    [
      "for a Secret in its environment",
      evidence(noImage("CreateContainerConfigError", 'secret "keys" not found')),
      {
        state: "CreateContainerConfigError",
        cause: "ContainerConfig",
        summary: /keys/,
        advice: /make the secret keys/,
      },
    ],
    [
      "for the localizer",
      evidence(inInitContainer("spark-localizer")),
      { state: "starting", summary: /the localizer is bringing the pod's files$/ },
    ],
    [
      "for what somebody else's container does",
      evidence(inInitContainer("istio-proxy")),
      { state: "starting", summary: /node n1 has not started the pod's containers yet$/ },
    ],
    [
      "for a scheduler that nobody runs",
      evidence(pod()),
      {
        state: "not scheduled",
        cause: "SlowStart",
        summary: /no scheduler/,
        advice: /spark\.kubernetes\.scheduler\.name/,
      },
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toMatchObject(matching(expected));
  });

  // The words of packages/gateway, wait-words.ts.
  test.each<[string, RegExp, RegExp]>([
    ["there is no queue etl that applications can be in: name another", /name a queue that is there/, /wait/],
    ["its namespace may not use queue etl: name one of a, b", /queue that the namespace may use/, /wait/],
    [
      "asks for 900 CPUs, and that is more than the whole capacity can ever give: ask",
      /waiting does not help.*add nodes/,
      /^wait /,
    ],
    [
      "asks for 9 CPUs, and that is more than the ceiling of queue etl can ever give: ask",
      /waiting does not help.*larger queue/,
      /nodes/,
    ],
    ["asks for 9 CPUs, and that is more than ResourceQuota team can ever give: ask", /quota raised/, /^wait /],
    ["waiting for 2 CPUs in queue etl: the ceiling of queue etl is reached", /^wait for.*ceiling raised/, /add nodes/],
    [
      "waiting for room in ResourceQuota team of its namespace, in queue etl",
      /kubectl describe resourcequota/,
      /ceiling/,
    ],
    ["waiting for 2 CPUs in queue etl; ahead: 3 applications", /^wait for the applications before it/, /raised/],
  ])("for the gateway, which says %j", (words, advice, never) => {
    const told = { ...event(held, "AwaitingAdmission", words), source: "kindling-gateway" };
    const [finding] = diagnose(evidence(held, { events: [told] }), NOW).findings;
    expect(finding?.summary).toContain(words);
    expect(finding?.advice).toMatch(advice);
    expect(finding?.advice).not.toMatch(never);
  });

  test("not yet for long: nothing is said", () => {
    const driver = pod({ metadata: { creationTimestamp: "2026-01-01T00:09:55Z" } });
    expect(diagnose(evidence(driver), NOW)).toMatchObject({ state: "Pending", findings: [] });
  });
});
