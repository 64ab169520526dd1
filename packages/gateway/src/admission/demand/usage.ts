import type { Resources } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import { textAt } from "../../json/fields.ts";
import { takesRoom } from "../../spark/spark-pod.ts";
import type { PodShapes } from "./pod-shapes.ts";

/** What pods use on each node; updated as pods come and go. */
export class Usage {
  readonly #byNode = new Map<string, Record<string, number>>();

  add(node: string, amounts: Resources, times: 1 | -1): void {
    const used = this.#byNode.get(node) ?? {};
    this.#byNode.set(node, used);
    for (const [name, amount] of Object.entries(amounts)) {
      const sum = (used[name] ?? 0) + amount * times;
      if (sum === 0) delete used[name];
      else used[name] = sum;
    }
    if (Object.keys(used).length === 0) this.#byNode.delete(node);
  }

  on(node: string): Resources {
    return this.#byNode.get(node) ?? {};
  }
}

/** What these pods use on the nodes on which they are. */
export function usageOf(pods: Iterable<KubeObject>, shapes: PodShapes): Usage {
  const usage = new Usage();
  for (const pod of pods) {
    const node = textAt(pod, "spec", "nodeName");
    if (node !== undefined && takesRoom(pod)) usage.add(node, shapes.of(pod).requests, 1);
  }
  return usage;
}
