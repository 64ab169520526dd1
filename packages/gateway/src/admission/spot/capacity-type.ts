import type { CapacityType } from "@kindling/admission";
import { SPOT_NODE_LABELS, type SpotNodeLabel } from "@kindling/core-spec";
import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../../json/fields.ts";

/** Annotation of an executor: the kind of node that the gateway has chosen for it. */
const CAPACITY_TYPE = "scheduler.kindling/capacity-type";

/** The taints that clouds give to spot nodes. */
const TOLERATIONS: readonly JsonObject[] = ["kubernetes.azure.com/scalesetpriority", "cloud.google.com/gke-spot"].map(
  (key) => ({ key, operator: "Exists", effect: "NoSchedule" }),
);

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** The kind of node that was chosen for an executor; `undefined` if none was. */
export function capacityTypeOf({ metadata: { annotations } }: KubeObject): CapacityType | undefined {
  const type = annotations?.[CAPACITY_TYPE];
  return type === "spot" || type === "on-demand" ? type : undefined;
}

/** The annotation of a pod that says for which kind of node it is, if there is one. */
export function capacityTypeAnnotation(pod: KubeObject): Readonly<Record<string, string>> {
  const type = capacityTypeOf(pod);
  return type === undefined ? {} : { [CAPACITY_TYPE]: type };
}

/** The pod, with the condition that its node is of this kind, besides its own conditions. */
export function withCapacityType(pod: KubeObject, type: CapacityType): KubeObject {
  const { spec, metadata } = pod;
  if (!isObject(spec)) return pod;
  const annotations = { ...metadata.annotations, [CAPACITY_TYPE]: type };
  const tolerations = type === "spot" ? [...objectsAt(spec, "tolerations"), ...TOLERATIONS] : spec["tolerations"];
  return {
    ...pod,
    metadata: { ...metadata, annotations },
    spec: {
      ...spec,
      affinity: affinityFor(spec, type),
      ...(tolerations !== undefined && { tolerations }),
    },
  };
}

/** A pod like this one with the condition for the other kind of node; `undefined` if it has none. */
export function withOtherCapacityType(pod: KubeObject): KubeObject | undefined {
  const type = capacityTypeOf(pod);
  const { spec } = pod;
  if (type === undefined || !isObject(spec)) return undefined;
  const own = { ...pod, spec: { ...spec, affinity: withoutSpotLabels(spec) } };
  return withCapacityType(own, type === "spot" ? "on-demand" : "spot");
}

/** The affinity of a pod as it was before a condition for a kind of node was added. */
function withoutSpotLabels(spec: JsonObject): JsonObject {
  const affinity = objectAt(spec, "affinity");
  const nodeAffinity = objectAt(affinity, "nodeAffinity");
  const terms = objectsAt(nodeAffinity, REQUIRED, "nodeSelectorTerms").map((term) => ({
    ...term,
    matchExpressions: objectsAt(term, "matchExpressions").filter(
      ({ key }) => !SPOT_NODE_LABELS.some((label) => label.key === key),
    ),
  }));
  const own = terms.filter((term) => term.matchExpressions.length + objectsAt(term, "matchFields").length > 0);
  return { ...affinity, nodeAffinity: { ...nodeAffinity, [REQUIRED]: { nodeSelectorTerms: own } } };
}

/** The affinity of a pod with this condition. */
function affinityFor(spec: JsonObject, type: CapacityType): JsonObject {
  const affinity = objectAt(spec, "affinity");
  const nodeAffinity = objectAt(affinity, "nodeAffinity");
  const own = objectsAt(nodeAffinity, REQUIRED, "nodeSelectorTerms");
  // A term of its own for each label, because any of them is enough.
  const conditions =
    type === "spot" ? SPOT_NODE_LABELS.map((label) => [isSpot(label)]) : [SPOT_NODE_LABELS.map(isNotSpot)];
  const nodeSelectorTerms = (own.length > 0 ? own : [{}]).flatMap((term) =>
    conditions.map((more) => ({ ...term, matchExpressions: [...objectsAt(term, "matchExpressions"), ...more] })),
  );
  return { ...affinity, nodeAffinity: { ...nodeAffinity, [REQUIRED]: { nodeSelectorTerms } } };
}

function isSpot({ key, value }: SpotNodeLabel): JsonObject {
  return { key, operator: "In", values: [value] };
}

function isNotSpot({ key, value }: SpotNodeLabel): JsonObject {
  return { key, operator: "NotIn", values: [value] };
}
