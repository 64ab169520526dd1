import type { PodSpec } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { mayBePlaced, placementOf } from "../src/placement.ts";

const target = {
  name: "n1",
  labels: { zone: "a", cores: "16" },
  taints: [
    { key: "spot", value: "yes", effect: "NoSchedule" },
    { key: "soft", effect: "PreferNoSchedule" },
  ],
};

const tolerant: Partial<PodSpec> = { tolerations: [{ key: "spot", operator: "Exists" }] };

const affinity = (...matchExpressions: { key: string; operator: string; values?: string[] }[]): Partial<PodSpec> => ({
  ...tolerant,
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
});

test.each<[string, Partial<PodSpec>, boolean]>([
  ["no tolerations", {}, false],
  ["a toleration of the key", tolerant, true],
  ["a toleration of the value", { tolerations: [{ key: "spot", operator: "Equal", value: "yes" }] }, true],
  ["a toleration of another value", { tolerations: [{ key: "spot", value: "no" }] }, false],
  [
    "a toleration of another effect",
    { tolerations: [{ key: "spot", operator: "Exists", effect: "NoExecute" }] },
    false,
  ],
  ["a toleration of all", { tolerations: [{ operator: "Exists" }] }, true],
  ["a selector that matches", { ...tolerant, nodeSelector: { zone: "a" } }, true],
  ["a selector that does not", { ...tolerant, nodeSelector: { zone: "a", disk: "ssd" } }, false],
  ["affinity to one of some values", affinity({ key: "zone", operator: "In", values: ["a", "b"] }), true],
  ["affinity to other values", affinity({ key: "zone", operator: "In", values: ["b"] }), false],
  ["affinity to none of some values", affinity({ key: "zone", operator: "NotIn", values: ["a"] }), false],
  ["affinity to a label that is missing", affinity({ key: "disk", operator: "Exists" }), false],
  ["affinity to the lack of a label", affinity({ key: "disk", operator: "DoesNotExist" }), true],
  ["affinity to a greater number", affinity({ key: "cores", operator: "Gt", values: ["8"] }), true],
  ["affinity to a lesser number", affinity({ key: "cores", operator: "Lt", values: ["8"] }), false],
  [
    "affinity that all must hold",
    affinity({ key: "zone", operator: "Exists" }, { key: "disk", operator: "Exists" }),
    false,
  ],
  ["affinity without a requirement", affinity(), false],
  [
    "affinity to its name",
    {
      ...tolerant,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }],
          },
        },
      },
    },
    true,
  ],
])("a pod with %s", (_, spec, wanted) => {
  expect(mayBePlaced(placementOf({ containers: [], ...spec }), target)).toBe(wanted);
});
