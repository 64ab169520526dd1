import { expect, test } from "vitest";
import { ANY_VALUE, oneValue, permittedValues } from "../../src/nodes-to-come/label-values.ts";
import { isOfClass } from "../../src/nodes-to-come/node-class.ts";

test("a node is of a class if each of its labels may have that value there", () => {
  const labels = new Map([
    ["karpenter.sh/nodepool", oneValue("spark")],
    ["karpenter.sh/capacity-type", permittedValues({ operator: "In", values: ["spot", "on-demand"] })],
    ["zone", permittedValues({ operator: "NotIn", values: ["c"] })],
    ["disk", ANY_VALUE],
  ]);
  const isOne = (node: Record<string, string>): boolean => isOfClass(node, { labels });
  const node = { "karpenter.sh/nodepool": "spark", "karpenter.sh/capacity-type": "spot" };
  expect([isOne(node), isOne({ ...node, zone: "a", disk: "ssd", other: "x" })]).toEqual([true, true]);
  expect(isOne({ ...node, "karpenter.sh/nodepool": "web" })).toBe(false);
  expect(isOne({ ...node, zone: "c" })).toBe(false);
  expect(isOne({ "karpenter.sh/nodepool": "spark" }), "without a label of the class").toBe(false);
});
