import type { Cache } from "@kindling/controller";
import type { NodeKind } from "./node-kinds.ts";
import type { KindOfNode } from "./pod-life-of.ts";

/** As many nodes may go within the minute in which the ends of their pods are recorded. */
const MOST_GONE = 5_000;

/**
 * The kinds of nodes, also of those that are gone: a spot node that is taken away is often deleted before the ends of its pods
 * are recorded.
 */
export function rememberedKinds(nodes: Pick<Cache<NodeKind>, "get" | "subscribe">): KindOfNode {
  const gone = new Map<string, NodeKind>();
  nodes.subscribe({
    changed({ type, record }) {
      gone.delete(record.name);
      if (type !== "deleted") return;
      gone.set(record.name, record);
      for (const name of gone.keys()) {
        if (gone.size <= MOST_GONE) break;
        gone.delete(name);
      }
    },
  });
  return (name) => nodes.get(name) ?? gone.get(name);
}
