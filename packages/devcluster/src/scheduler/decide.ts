import type { Pod } from "../objects/pod.ts";
import { preference, unsuitable } from "./node-fit.ts";
import { type NodeRoom, demandOf } from "./node-room.ts";

/** What to do with a pod. */
export type Decision =
  | { readonly kind: "bind"; readonly node: string }
  /** Make room by deleting less important pods. */
  | { readonly kind: "preempt"; readonly node: string; readonly victims: readonly Pod[] }
  | { readonly kind: "wait"; readonly message: string };

/** Decides where a pod shall run, from what is known of the nodes; changes nothing. */
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
    const score = room.freeShare(demand) + preference(pod, room.node);
    if (best === undefined || score > best.score) best = { node: room.node.metadata.name, score };
  }
  if (best !== undefined) return { kind: "bind", node: best.node };
  const preemption = pod.spec.preemptionPolicy === "Never" ? undefined : findVictims(pod, rooms);
  if (preemption !== undefined) return { kind: "preempt", ...preemption };
  return { kind: "wait", message: waitMessage(pod, rooms, reasons) };
}

function shortage(resource: string): string {
  return resource === "pods" ? "Too many pods" : `Insufficient ${resource}`;
}

/** The node on which the fewest and least important pods would have to go. */
function findVictims(pod: Pod, rooms: readonly NodeRoom[]): { node: string; victims: Pod[] } | undefined {
  const demand = demandOf(pod);
  const priority = pod.spec.priority ?? 0;
  let best: { node: string; victims: Pod[]; cost: number } | undefined;
  for (const room of rooms) {
    if (unsuitable(pod, room.node) !== undefined) continue;
    const lower = room.podsByPriority().filter(({ spec }) => (spec.priority ?? 0) < priority);
    if (lower.length === 0 || room.lacks(demand, lower).length > 0) continue;
    // The most important of them may stay if the rest makes room enough.
    let victims = lower;
    for (const candidate of [...lower].reverse()) {
      const fewer = victims.filter((one) => one !== candidate);
      if (room.lacks(demand, fewer).length === 0) victims = fewer;
    }
    const cost = Math.max(...victims.map(({ spec }) => spec.priority ?? 0)) * 1e6 + victims.length;
    if (best === undefined || cost < best.cost) best = { node: room.node.metadata.name, victims, cost };
  }
  return best;
}

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
  const never =
    pod.spec.preemptionPolicy === "Never"
      ? "not eligible due to preemptionPolicy=Never."
      : `0/${total} nodes are available: ${help}`;
  return `0/${total} nodes are available: ${list.join(", ")}. no new claims to deallocate, preemption: ${never}`;
}
