import { amountText, compareResources } from "./amounts.ts";
import type { NodeClassOverview, ToComeOverview } from "./overview.ts";

/** Not every cluster needs to be told of all of its node pools at once. */
const MOST_CLASSES = 20;

/** What autoscalers may still add, a line for each class of nodes: `NodePool spark: 16 of 24 cpu`. */
export function toComeLines({ nodes, classes }: ToComeOverview): readonly string[] {
  const coming = nodes === 0 ? [] : [`${nodes} ${nodes === 1 ? "node has" : "nodes have"} been ordered`];
  const more = classes.length > MOST_CLASSES ? [`and ${classes.length - MOST_CLASSES} more`] : [];
  return [...coming, ...classes.slice(0, MOST_CLASSES).map(classLine), ...more];
}

function classLine({ name, left, limit, unready }: NodeClassOverview): string {
  if (unready !== undefined) return `${name}: none now (${unready})`;
  const amounts = Object.keys(limit)
    .filter((resource) => resource !== "pods")
    .toSorted(compareResources)
    .map(
      (resource) =>
        `${amountText(resource, left[resource] ?? 0)} of ${amountText(resource, limit[resource] ?? 0)} ${resource}`,
    );
  return `${name}: ${amounts.length === 0 ? "no limit" : amounts.join(", ")}`;
}
