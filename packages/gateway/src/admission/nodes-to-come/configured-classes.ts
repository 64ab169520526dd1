import type { KubeObject } from "@kindling/kube-objects";
import { multiply, type NodeClass, oneValue } from "@kindling/admission";
import type { ConfiguredClass } from "../../config/queues/node-class-fields.ts";

/** What may still come of the configured classes: all nodes of a class that are not there. */
export function classesOfConfiguration(classes: readonly ConfiguredClass[], nodes: readonly KubeObject[]): NodeClass[] {
  return classes.map(({ name, max, node, labels, taints }) => {
    const isOfClass = ({ metadata }: KubeObject): boolean =>
      Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value);
    return {
      name: `node class ${name}`,
      labels: new Map(Object.entries(labels).map(([label, value]) => [label, oneValue(value)])),
      taints,
      largest: node,
      limit: multiply(node, max),
      left: multiply(node, Math.max(0, max - nodes.filter(isOfClass).length)),
      avoided: [],
    };
  });
}
