import type { Pod } from "../objects/pod.ts";
import { unsuitable } from "./node-fit.ts";
import { type NodeRoom, demandOf } from "./node-room.ts";

/** What to do with a pod. */
export type Decision =
  | { readonly kind: "bind"; readonly node: string }
  | { readonly kind: "wait"; readonly message: string };

/** Decides which node a pod runs on, from what is known about the nodes; changes nothing. */
export function decide(pod: Pod, rooms: readonly NodeRoom[]): Decision {
  const demand = demandOf(pod);
  const reasons = new Map<string, number>();
  let best: { node: string; score: number } | undefined;
  for (const room of rooms) {
    const why = unsuitable(pod, room.node);
    const lacks = why === undefined ? room.lacks(demand) : [];
    for (const reason of why === undefined ? lacks.map(shortage) : [why])
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (why !== undefined || lacks.length > 0) continue;
    const score = room.freeShare(demand);
    if (best === undefined || score > best.score) best = { node: room.node.metadata.name, score };
  }
  if (best !== undefined) return { kind: "bind", node: best.node };
  return { kind: "wait", message: waitMessage(pod, rooms, reasons) };
}

function shortage(resource: string): string {
  return resource === "pods" ? "Too many pods" : `Insufficient ${resource}`;
}

// Preemption is not implemented; the text is that of a scheduler that found no pod to preempt.
function waitMessage(pod: Pod, rooms: readonly NodeRoom[], reasons: ReadonlyMap<string, number>): string {
  const total = rooms.length;
  if (total === 0) return "no nodes available to schedule pods";
  const demand = demandOf(pod);
  const list = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
  const hopeless = rooms.filter((room) => unsuitable(pod, room.node) !== undefined || room.exceeds(demand)).length;
  const help = [
    ...(total > hopeless ? [`${total - hopeless} No preemption victims found for incoming pod.`] : []),
    ...(hopeless > 0 ? [`${hopeless} Preemption is not helpful for scheduling.`] : []),
  ].join(", ");
  const available = `0/${total} nodes are available`;
  return `${available}: ${list.join(", ")}. no new claims to deallocate, preemption: ${available}: ${help}`;
}
