import type { ApplicationDemand, PolicySnapshot } from "@kindling/admission";

/** What an application's pods wait for that are in the cluster and have no node: a sentence, or nothing if none waits. */
export function nodeWords(
  { driver, present }: ApplicationDemand,
  { capacity, now }: Pick<PolicySnapshot, "capacity" | "now">,
): readonly string[] {
  const pending = present.filter(({ state, node }) => state === "pending" && node === undefined);
  const executors = pending.length === 0 ? [] : [`${pending.length} executor${pending.length === 1 ? "" : "s"}`];
  const who = [...(driver.state === "started" && driver.node === undefined ? ["the driver"] : []), ...executors];
  if (who.length === 0) return [];
  const since = Math.min(...pending.map(({ created }) => created ?? now));
  const long =
    pending.length === 0 ? "" : `, the first executor for ${Math.max(0, Math.round((now - since) / 1000))} s`;
  const coming = capacity.kind === "nodes" ? capacity.nodes.filter(({ isComing }) => isComing).length : 0;
  const nodes = coming === 0 ? "" : `; ${coming} node${coming === 1 ? " is" : "s are"} coming`;
  return [`waiting for a node: ${who.join(" and ")}${long}${nodes}`];
}
