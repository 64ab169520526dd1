import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS, type PolicySnapshot } from "../../src/admission-plan.ts";
import type { ClassRefusal } from "../../src/nodes-to-come/class-refusal.ts";
import { oneValue, permittedValues } from "../../src/nodes-to-come/label-values.ts";
import type { NodeClass } from "../../src/nodes-to-come/node-class.ts";
import type { Placement } from "../../src/placement.ts";
import { planAdmission } from "../../src/plan-admission.ts";
import {
  admittedBy,
  application,
  cpus,
  node,
  nodeClass,
  onlyToCome,
  plan,
  pod,
  queue,
  queues,
  resources,
  snapshot,
} from "../fixtures/sentences.ts";

/** The admissions, in their order. */
function planOf(from: PolicySnapshot) {
  const { decisions } = planAdmission(from, DEFAULT_POLICY_SETTINGS);
  return { decisions: decisions.filter((one) => one.kind === "admit") };
}

const running = () => application("a").promised().settled().withDriver(pod(1), "n1");

describe("room on nodes that may still come", () => {
  test("starts an application in a cluster without nodes", () => {
    const told = plan(snapshot([application("a").needing(3)], onlyToCome(nodeClass("spark", { limit: cpus(4) }))));
    expect(told.started).toEqual(["a"]);
  });

  test("is used after that of nodes, and no node is named for it", () => {
    const capacity = {
      kind: "nodes",
      nodes: [node("n1", resources(3))],
      classes: [nodeClass("spark", { limit: cpus(2) })],
    } as const;
    const told = plan(snapshot([running().waitingFor(9)], { capacity }));
    expect(told.admitted).toHaveLength(4);
    const { decisions } = planOf(snapshot([running().waitingFor(9)], { capacity }));
    expect(decisions.map(({ node: name }) => name)).toEqual(["n1", "n1", undefined, undefined]);
  });

  test("without a limit takes everything that is asked for", () => {
    const told = plan(snapshot([running().waitingFor(500)], onlyToCome(nodeClass("spark"))));
    expect(told.admitted).toHaveLength(500);
  });

  test("without a limit is shared by the weights of queues all the same", () => {
    const two = queues(queue("a", { ceiling: cpus(30) }), queue("b"));
    const [a, b] = ["a", "b"].map((id) => application(id).in(id).started().settled().waitingFor(60));
    if (a === undefined || b === undefined) throw new Error("two applications");
    const told = plan(snapshot([a, b], { ...onlyToCome(nodeClass("spark")), queues: two }));
    expect(admittedBy(told)).toEqual({ a: 29, b: 60 });
  });

  test("is taken by pods that have no node yet", () => {
    const pending = running().running(3, { state: "pending", began: undefined });
    const told = plan(snapshot([pending.waitingFor(9)], onlyToCome(nodeClass("spark", { limit: cpus(5) }))));
    expect(told.admitted).toHaveLength(2);
  });

  test("is not used by pods like those for which no node came, and used by smaller ones and those with other labels", () => {
    const spark = nodeClass("spark", { avoided: [{ pod: pod(4), until: 9000 }] });
    const admitted = [pod(4), pod(5), pod(3), pod(4, 4, { tolerations: [{ operator: "Exists" }] })].map(
      (shape) => plan(snapshot([running().waitingFor(1, shape)], onlyToCome(spark))).admitted.length,
    );
    expect(admitted).toEqual([0, 0, 1, 1]);
  });

  test("counts whole nodes: what a node has left besides its pods is lost for others of the class", () => {
    const spark = nodeClass("spark", { limit: cpus(24), largest: cpus(4) });
    expect(plan(snapshot([running().waitingFor(20, pod(1.5))], onlyToCome(spark))).admitted).toHaveLength(12);
  });

  test("on a node that has been ordered is not room of a class, and cannot be preferred", () => {
    const ordered = node("claim", resources(2), { isComing: true });
    const { decisions } = planOf(
      snapshot([running().waitingFor(5)], { capacity: { kind: "nodes", nodes: [ordered], classes: [] } }),
    );
    expect(decisions.map(({ node: name }) => name)).toEqual([undefined, undefined]);
  });
});

test("no more is admitted than nodes have and classes have left, whatever is asked for", () => {
  const size = fc.integer({ min: 1, max: 6 });
  const someClass = fc.record({ limit: fc.integer({ min: 0, max: 20 }), largest: fc.option(size, { nil: undefined }) });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
      fc.array(someClass, { maxLength: 3 }),
      fc.array(size, { maxLength: 30 }),
      (nodeSizes, classSizes, asked) => {
        const nodes = nodeSizes.map((cpu, index) => node(`n${index}`, resources(cpu)));
        const classes = classSizes.map(({ limit, largest }, index) =>
          nodeClass(`c${index}`, { limit: cpus(limit), ...(largest !== undefined && { largest: cpus(largest) }) }),
        );
        const app = asked.reduce((one, cpu) => one.waitingFor(1, pod(cpu)), application("a").started().settled());
        const { decisions } = planOf(
          snapshot([app.withDriver(pod(0))], { capacity: { kind: "nodes", nodes, classes } }),
        );
        const sizeOf = (id: string) => asked[Number(id) - 1] ?? 0;
        for (const { name, allocatable } of nodes) {
          const put = decisions.filter((one) => one.node === name).map(({ executor }) => sizeOf(executor));
          expect(put.reduce((sum, cpu) => sum + cpu, 0) * 1000).toBeLessThanOrEqual(allocatable["cpu"] ?? 0);
        }
        const toCome = decisions.filter((one) => one.node === undefined).map(({ executor }) => sizeOf(executor));
        const left = classSizes.reduce((sum, { limit }) => sum + limit, 0);
        expect(toCome.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThanOrEqual(left);
        const most = Math.max(0, ...classSizes.map(({ limit, largest }) => Math.min(limit, largest ?? limit)));
        expect(toCome.filter((cpu) => cpu > most)).toEqual([]);
      },
    ),
  );
});

describe("where nodes come and go", () => {
  const three = [node("n1", resources(4)), node("n2", resources(4)), node("n3", resources(4))];
  const spark = [nodeClass("spark", { limit: cpus(8) })];
  const busy = application("busy").promised().settled().withDriver(pod(1), "n3").running(2, { node: "n3" });

  test("executors fill nodes that are in use before empty ones, and these before new ones", () => {
    const { decisions } = planOf(
      snapshot([busy, running().waitingFor(7)], { capacity: { kind: "nodes", nodes: three, classes: spark } }),
    );
    expect(decisions.map(({ node: name }) => name)).toEqual(["n3", "n1", "n1", "n1", "n2", "n2", "n2"]);
  });

  test("drivers come beside drivers", () => {
    const capacity = { kind: "nodes", nodes: three, classes: spark } as const;
    const full = application("full").promised().settled().withDriver(pod(1), "n2");
    const other = application("x").promised().settled().withDriver(pod(1), "n2").running(3, { node: "n1" });
    const { decisions } = planAdmission(
      snapshot([full, other, application("new").needing(1)], { capacity }),
      DEFAULT_POLICY_SETTINGS,
    );
    expect(decisions).toMatchObject([{ kind: "start", application: "new", node: "n2" }]);
  });

  test("without an autoscaler, the order of the nodes stays", () => {
    const { decisions } = planOf(
      snapshot([busy, running().waitingFor(2)], { capacity: { kind: "nodes", nodes: three, classes: [] } }),
    );
    expect(decisions.map(({ node: name }) => name)).toEqual(["n1", "n1"]);
  });
});

describe("a class of nodes refuses a pod, and says why:", () => {
  const cases: readonly [string, Partial<NodeClass>, Partial<Placement>, ClassRefusal | undefined][] = [
    [
      "a label that it has",
      { labels: new Map([["team", oneValue("etl")]]) },
      { nodeSelector: { team: "etl" } },
      undefined,
    ],
    [
      "another value of a label",
      { labels: new Map([["team", oneValue("etl")]]) },
      { nodeSelector: { team: "ml" } },
      { kind: "label", label: "team" },
    ],
    ["a label that it does not have", {}, { nodeSelector: { team: "etl" } }, { kind: "label", label: "team" }],
    ["a zone, if it may choose any", {}, { nodeSelector: { "topology.kubernetes.io/zone": "eu-1a" } }, undefined],
    [
      "a zone that it does not have",
      { labels: new Map([["topology.kubernetes.io/zone", permittedValues({ operator: "In", values: ["eu-1b"] })]]) },
      { nodeSelector: { "topology.kubernetes.io/zone": "eu-1a" } },
      { kind: "label", label: "topology.kubernetes.io/zone" },
    ],
    [
      "a hostname",
      {},
      { nodeSelector: { "kubernetes.io/hostname": "n1" } },
      { kind: "label", label: "kubernetes.io/hostname" },
    ],
    [
      "a node by its name",
      {},
      { nodeAffinity: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }] },
      { kind: "named-node" },
    ],
    [
      "one of two terms that it can meet",
      {},
      {
        nodeAffinity: [
          { matchExpressions: [{ key: "team", operator: "Exists" }] },
          { matchExpressions: [{ key: "team", operator: "DoesNotExist" }] },
        ],
      },
      undefined,
    ],
    [
      "a taint that the pod does not tolerate",
      { taints: [{ key: "spark", effect: "NoSchedule" }] },
      {},
      { kind: "taint", taint: { key: "spark", effect: "NoSchedule" } },
    ],
    [
      "a taint that the pod tolerates",
      { taints: [{ key: "spark", effect: "NoSchedule" }] },
      { tolerations: [{ key: "spark", operator: "Exists" }] },
      undefined,
    ],
    ["nodes that are too small", { largest: cpus(3) }, {}, { kind: "too-large", resource: "cpu", most: 3000 }],
    ["too little left", { limit: cpus(64), left: cpus(2) }, {}, { kind: "limit", resource: "cpu", limit: 64_000 }],
    ["an autoscaler that adds no nodes", { unready: "no quota" }, {}, { kind: "unready", why: "no quota" }],
    ["nodes that did not come", { avoided: [{ pod: pod(4), until: 5000 }] }, {}, { kind: "avoided", until: 5000 }],
  ];

  test.each(cases)("%s", (_, rest, placement, refusal) => {
    const told = plan(snapshot([running().waitingFor(1, pod(4, 4, placement))], onlyToCome(nodeClass("spark", rest))));
    expect(told.admitted).toHaveLength(refusal === undefined ? 1 : 0);
    expect(told.waits["a"]?.classes).toEqual(refusal === undefined ? undefined : [{ name: "spark", refusal }]);
  });

  test("the limit, for pods that start together", () => {
    const spark = nodeClass("spark", { limit: cpus(5), left: cpus(4) });
    const told = plan(snapshot([application("a").needing(4)], onlyToCome(spark)));
    expect(told.waits["a"]?.classes).toEqual([]);
    expect(told.waits["a"]?.reason).toEqual({ kind: "outside", limit: { kind: "capacity" } });
  });

  test("a class that takes the pod is not named", () => {
    const told = plan(
      snapshot(
        [running().waitingFor(9, pod(4))],
        onlyToCome(nodeClass("a", { limit: cpus(5) }), nodeClass("b", { largest: cpus(1) })),
      ),
    );
    expect(told.waits["a"]?.classes.map(({ name, refusal }) => [name, refusal.kind])).toEqual([
      ["a", "limit"],
      ["b", "too-large"],
    ]);
  });
});
