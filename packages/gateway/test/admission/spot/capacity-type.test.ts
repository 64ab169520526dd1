import { mayBePlaced, podShape } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";
import type { Pod, PodSpec } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { capacityTypeOf, withCapacityType } from "../../../src/admission/spot/capacity-type.ts";

const pod = (spec: Partial<PodSpec> = {}) =>
  aPod("executor")
    .in("spark")
    .spec({ containers: [{ name: "main", image: "spark" }], ...spec })
    .build() as unknown as KubeObject;

function isOn(
  typed: KubeObject,
  labels: Record<string, string>,
  taints: readonly { key: string; value: string; effect: string }[] = [],
) {
  const { placement } = podShape(typed as unknown as Pod & { spec: PodSpec });
  return mayBePlaced(placement, { name: "n", labels, taints });
}

test.each([
  ["Karpenter", { "karpenter.sh/capacity-type": "spot" }, { "karpenter.sh/capacity-type": "on-demand" }],
  ["EKS", { "eks.amazonaws.com/capacityType": "SPOT" }, { "eks.amazonaws.com/capacityType": "ON_DEMAND" }],
  ["GKE", { "cloud.google.com/gke-spot": "true" }, {}],
  ["GKE, preemptible", { "cloud.google.com/gke-preemptible": "true" }, {}],
  ["AKS", { "kubernetes.azure.com/scalesetpriority": "spot" }, { "kubernetes.azure.com/scalesetpriority": "regular" }],
])("executors find the spot nodes and the other nodes of %s", (_, spot, onDemand) => {
  const [onSpot, onOthers] = [withCapacityType(pod(), "spot"), withCapacityType(pod(), "on-demand")];
  expect([isOn(onSpot, spot), isOn(onSpot, onDemand), isOn(onOthers, spot), isOn(onOthers, onDemand)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([capacityTypeOf(onSpot), capacityTypeOf(onOthers), capacityTypeOf(pod())]).toEqual([
    "spot",
    "on-demand",
    undefined,
  ]);
});

test("the taint of AKS is tolerated on spot nodes", () => {
  const labels = { "kubernetes.azure.com/scalesetpriority": "spot" };
  const taints = [{ key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" }];
  expect(isOn(withCapacityType(pod(), "spot"), labels, taints)).toBe(true);
});

test("a pod keeps its own conditions", () => {
  const term = (zone: string) => ({ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] });
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term("a"), term("b")] } },
  };
  const spot = withCapacityType(pod({ affinity, nodeSelector: { disk: "ssd" } }), "spot");
  const labels = { "karpenter.sh/capacity-type": "spot", disk: "ssd" };
  expect([isOn(spot, { ...labels, zone: "b" }), isOn(spot, { ...labels, zone: "c" }), isOn(spot, labels)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isOn(withCapacityType(pod({ affinity }), "on-demand"), { zone: "a" })).toBe(true);
});
