import type { KubeObject } from "@kindling/kube-objects";
import { isOfClass, multiply, type NodeClass, oneValue } from "@kindling/admission";
import type { ConfiguredClass } from "../../config/queues/node-class-fields.ts";

/** What may still come of the configured classes: all nodes of a class that are not there. */
export function classesOfConfiguration(classes: readonly ConfiguredClass[], nodes: readonly KubeObject[]): NodeClass[] {
  return classes.map(({ name, max, node, labels: values, taints }) => {
    const labels = new Map(Object.entries(values).map(([label, value]) => [label, oneValue(value)]));
    const there = nodes.filter(({ metadata }) => isOfClass(metadata.labels ?? {}, { labels }));
    return {
      name: `node class ${name}`,
      ...{ labels, taints },
      largest: node,
      limit: multiply(node, max),
      left: multiply(node, Math.max(0, max - there.length)),
      avoided: [],
    };
  });
}
