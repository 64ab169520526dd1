import { classRefusal } from "@kindling/admission";
import { describe, expect, test } from "vitest";
import { classesOfNodeGroups } from "../../../src/admission/nodes-to-come/node-groups.ts";
import { aNode, object } from "./objects.ts";

interface Group {
  readonly name: string;
  readonly max: number;
  readonly target: number;
  readonly health?: string;
  readonly scaleUp?: string;
}

/** The ConfigMap as cluster-autoscaler 1.30 and later write it (kubernetes/autoscaler pull request 6375). */
function status(...groups: readonly Group[]) {
  const text = groups.map(
    ({ name, max, target, health = "Healthy", scaleUp = "status: NoActivity" }) => `
- name: ${name}
  health:
    status: ${health}
    nodeCounts: {registered: {total: ${target}, ready: ${target}, notStarted: 0}, longUnregistered: 0, unregistered: 0}
    cloudProviderTarget: ${target}
    minSize: 0
    maxSize: ${max}
    lastProbeTime: "2023-12-20T10:52:04.558615784Z"
  scaleUp:
    ${scaleUp}
  scaleDown: {status: NoCandidates}`,
  );
  const told = `time: 2023-12-20 10:52:04.558615784 +0000 UTC\nautoscalerStatus: Running\nnodeGroups:${text.join("")}\n`;
  return object("ConfigMap", "cluster-autoscaler-status", { data: { status: told } });
}

const none = () => ({});

describe("the groups of the cluster-autoscaler", () => {
  test("may get as many nodes like theirs as their size allows", () => {
    const nodes = [
      aNode("n1", { "eks.amazonaws.com/nodegroup": "spark", "kubernetes.io/hostname": "n1", disk: "nvme" }),
    ];
    const [found] = classesOfNodeGroups(status({ name: "eks-spark-8ec1d2a4", max: 10, target: 4 }), {
      nodes,
      daemonsOn: () => ({ cpu: 500 }),
    });
    expect(found).toMatchObject({
      name: "node group eks-spark-8ec1d2a4",
      largest: { cpu: 3500 },
      limit: { cpu: 35_000, pods: 1100 },
      left: { cpu: 21_000, pods: 660 },
      unready: undefined,
    });
    const refusal = (nodeSelector: Record<string, string>) =>
      found &&
      classRefusal(
        { requests: { cpu: 1000 }, placement: { nodeSelector, nodeAffinity: undefined, tolerations: [] } },
        found,
      );
    expect(refusal({ disk: "nvme" })).toBeUndefined();
    expect(refusal({ disk: "hdd" })).toMatchObject({ kind: "label" });
    expect(refusal({ "kubernetes.io/hostname": "n1" })).toMatchObject({ kind: "label" });
  });

  test("have nodes that EKS, GKE, AKS and kOps name in their own way", () => {
    const zone = (name: string) => ({ "topology.kubernetes.io/zone": name });
    const nodes = [
      aNode("a", { "eks.amazonaws.com/nodegroup": "spark" }, { allocatable: { cpu: "1" } }),
      aNode("b", { "eks.amazonaws.com/nodegroup": "spark-spot" }, { allocatable: { cpu: "2" } }),
      aNode("c", { "cloud.google.com/gke-nodepool": "batch", ...zone("us-central1-c") }, { allocatable: { cpu: "3" } }),
      aNode("d", { "cloud.google.com/gke-nodepool": "batch", ...zone("us-central1-f") }, { allocatable: { cpu: "4" } }),
      aNode("e", { "kubernetes.azure.com/agentpool": "sparkpool" }, { allocatable: { cpu: "5" } }),
      aNode("f", { "kops.k8s.io/instancegroup": "nodes-eu" }, { allocatable: { cpu: "6" } }),
    ];
    const gke = "https://www.googleapis.com/compute/v1/projects/p/zones";
    const names = [
      "eks-spark-8ec1d2a4",
      "eks-spark-spot-7ac0",
      `${gke}/us-central1-c/instanceGroups/gke-c-batch-40ce0341-grp`,
      `${gke}/us-central1-f/instanceGroups/gke-c-batch-51df-grp`,
      "aks-sparkpool-12345678-vmss",
      "nodes-eu.k8s.example.com",
    ];
    const found = classesOfNodeGroups(status(...names.map((name) => ({ name, max: 2, target: 1 }))), {
      nodes,
      daemonsOn: none,
    });
    expect(found.map(({ largest }) => largest["cpu"])).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
  });

  test("without a node now are not known", () => {
    const nodes = [aNode("n1", { "eks.amazonaws.com/nodegroup": "other" })];
    expect(
      classesOfNodeGroups(status({ name: "eks-spark-8e", max: 9, target: 0 }), { nodes, daemonsOn: none }),
    ).toEqual([]);
  });

  test("that wait after a failure, or are not healthy, say so", () => {
    const nodes = [aNode("n1", { "eks.amazonaws.com/nodegroup": "spark" })];
    const message = "not enough capacity for r5d.4xlarge in eu-1a";
    const backoff = `{status: Backoff, backoffInfo: {errorCode: OutOfStock, errorMessage: "${message}"}}`;
    const unready = (group: Partial<Group>) =>
      classesOfNodeGroups(status({ name: "spark", max: 9, target: 1, ...group }), { nodes, daemonsOn: none })[0]
        ?.unready;
    expect(unready({ scaleUp: backoff })).toContain(message);
    expect(unready({ health: "Unhealthy" })).toContain("unhealthy");
  });

  test("are not taken for such while a node is tainted for a moment", () => {
    const taints = [
      { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
      { key: "ToBeDeletedByClusterAutoscaler", value: "1", effect: "NoSchedule" },
      { key: "spark", effect: "NoSchedule" },
    ];
    const nodes = [aNode("n1", { "eks.amazonaws.com/nodegroup": "spark" }, { taints })];
    const [found] = classesOfNodeGroups(status({ name: "spark", max: 9, target: 1 }), { nodes, daemonsOn: none });
    expect(found?.taints.map(({ key }) => key)).toEqual(["spark"]);
  });

  test.each([
    ["there is no status", undefined],
    [
      "the status is text for people, as before 1.30",
      "Cluster-autoscaler status at 2023-11-24:\nCluster-wide:\n  Health: \tx",
    ],
    ["the status is a list", "[1, 2]"],
    ["the groups are none", "nodeGroups: 7"],
    ["a group is none", "nodeGroups: [7, {name: 4}, {name: spark, health: {maxSize: many}}]"],
  ])("are none if %s", (_, text) => {
    const nodes = [aNode("n1", { "eks.amazonaws.com/nodegroup": "spark" })];
    const map = text === undefined ? undefined : object("ConfigMap", "s", { data: { status: text } });
    expect(classesOfNodeGroups(map, { nodes, daemonsOn: none })).toEqual([]);
  });
});
