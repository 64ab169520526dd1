import { ANY_VALUE, commonValues, type LabelValues, oneValue, permittedValues } from "@kindling/admission";
import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, textAt, textsAt } from "../../json/fields.ts";

/**
 * The labels of nodes that a template and its requirements describe.
 *
 * @param template labels that each node gets
 * @param requirements as in a NodePool: `{ key, operator, values }`
 */
export function labelsOfTemplate(
  template: JsonObject,
  requirements: readonly JsonObject[],
): ReadonlyMap<string, LabelValues> {
  const labels = new Map<string, LabelValues>();
  const require = (label: string, values: LabelValues): void =>
    void labels.set(label, commonValues(labels.get(label) ?? ANY_VALUE, values));
  for (const [label, value] of Object.entries(template)) if (typeof value === "string") require(label, oneValue(value));
  for (const requirement of requirements) {
    const label = textAt(requirement, "key");
    const operator = textAt(requirement, "operator");
    if (label === undefined || operator === undefined) continue;
    require(label, permittedValues({ operator, values: textsAt(requirement, "values") }));
  }
  return labels;
}

/** Labels that are different on each node. */
const OF_ONE_NODE: ReadonlySet<string> = new Set(["kubernetes.io/hostname"]);

/** The labels that a further node of a group will have, by those that the group has. */
export function labelsOfNodes(nodes: readonly KubeObject[]): ReadonlyMap<string, LabelValues> {
  const [first, ...others] = nodes.map(({ metadata }) => metadata.labels ?? {});
  const labels = new Map<string, LabelValues>();
  for (const [label, value] of Object.entries(first ?? {})) {
    const values = [value, ...others.flatMap((other) => other[label] ?? [])];
    if (OF_ONE_NODE.has(label) || values.length < nodes.length) continue;
    labels.set(label, { isExcept: false, values: new Set(values) });
  }
  return labels;
}

/** The taints of a spec. A taint without a key or effect is none. */
export function taintsAt(spec: unknown): readonly { key: string; value?: string; effect: string }[] {
  const taints = objectAt(spec)["taints"];
  return (Array.isArray(taints) ? taints : []).flatMap((taint: unknown) => {
    const [key, value, effect] = [textAt(taint, "key"), textAt(taint, "value"), textAt(taint, "effect")];
    return key === undefined || effect === undefined ? [] : [{ key, effect, ...(value !== undefined && { value }) }];
  });
}
