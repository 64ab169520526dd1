import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textsOf } from "../../json/fields.ts";
import { isLabelOfKueue } from "./local-queue.ts";
import type { Assignment } from "./workload.ts";

/** Annotation of a pod: the ResourceFlavors of its Workload. */
const FLAVORS = "scheduler.kindling/kueue-flavors";

/** What an assignment adds to a pod. */
export interface AssignedNodes {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly JsonObject[];
}

/**
 * What an assignment adds to a pod: the labels and tolerations of its ResourceFlavors, and what admission checks want.
 * `undefined` if a flavor is not known.
 */
export function assignedNodes(
  { flavors, updates }: Assignment,
  flavorOf: (name: string) => KubeObject | undefined,
): AssignedNodes | undefined {
  const known = flavors.map(flavorOf);
  const found = known.filter((flavor) => flavor !== undefined);
  if (found.length < known.length) return undefined;
  const textsIn = (name: string): Record<string, string> =>
    Object.assign({}, ...updates.map((update) => textsOf(objectAt(update, name)))) as Record<string, string>;
  const nodeLabels = found.map((flavor) => textsOf(objectAt(flavor, "spec", "nodeLabels")));
  return {
    labels: textsIn("labels"),
    annotations: { ...textsIn("annotations"), [FLAVORS]: flavors.join(",") },
    nodeSelector: Object.assign({}, ...nodeLabels, textsIn("nodeSelector")) as Record<string, string>,
    tolerations: [
      ...found.flatMap((flavor) => objectsAt(flavor, "spec", "tolerations")),
      ...updates.flatMap((update) => objectsAt(update, "tolerations")),
    ],
  };
}

/** The pod as it is created: on the nodes of its assignment, and without labels for which Kueue would count it again. */
export function assignedPod(pod: KubeObject, added: AssignedNodes): KubeObject {
  const { metadata, spec } = pod;
  const labels = Object.entries(metadata.labels ?? {}).filter(([name]) => !isLabelOfKueue(name));
  return {
    ...pod,
    metadata: {
      ...metadata,
      labels: { ...Object.fromEntries(labels), ...added.labels },
      annotations: { ...metadata.annotations, ...added.annotations },
    },
    ...(isObject(spec) && { spec: { ...spec, ...assignedSpec(spec, added) } }),
  };
}

/** The members of a pod's spec that an assignment changes. */
export function assignedSpec(spec: JsonObject, { nodeSelector, tolerations }: AssignedNodes): JsonObject {
  return {
    ...(Object.keys(nodeSelector).length > 0 && {
      nodeSelector: { ...objectAt(spec, "nodeSelector"), ...nodeSelector },
    }),
    ...(tolerations.length > 0 && { tolerations: [...objectsAt(spec, "tolerations"), ...tolerations] }),
  };
}

/** The ResourceFlavors for which an executor was created; `undefined` if it was created without Kueue. */
export function flavorsOf({ metadata: { annotations } }: KubeObject): string | undefined {
  return annotations?.[FLAVORS];
}
