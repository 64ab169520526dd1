import type { Node } from "kubernetes-types/core/v1.js";

/** What a node costs depends on this. */
export interface NodeKind {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly type: string | undefined;
  /** Whether the node may be taken away at any time. */
  readonly isSpot: boolean;
}

const TYPE = ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"];

/** The labels of spot nodes: of Karpenter, and of the node groups of EKS, GKE and AKS. */
const SPOT: Readonly<Record<string, string>> = {
  "karpenter.sh/capacity-type": "spot",
  "eks.amazonaws.com/capacityType": "SPOT",
  "cloud.google.com/gke-spot": "true",
  "cloud.google.com/gke-preemptible": "true",
  "kubernetes.azure.com/scalesetpriority": "spot",
};

export function nodeKind({ metadata }: Node): NodeKind | undefined {
  const { name, uid, resourceVersion = "", labels = {} } = metadata ?? {};
  if (name === undefined || uid === undefined) return undefined;
  return {
    ...{ name, uid, resourceVersion },
    type: TYPE.flatMap((key) => labels[key] ?? [])[0],
    isSpot: Object.entries(SPOT).some(([key, value]) => labels[key] === value),
  };
}
