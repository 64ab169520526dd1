/** A label of nodes that may be taken away at any time. */
export interface SpotNodeLabel {
  readonly key: string;
  /** The value on spot nodes. Other nodes have another value, or no such label. */
  readonly value: string;
}

/** The labels of spot nodes: of Karpenter, and of the node groups of EKS, GKE and AKS. */
export const SPOT_NODE_LABELS: readonly SpotNodeLabel[] = [
  { key: "karpenter.sh/capacity-type", value: "spot" },
  { key: "eks.amazonaws.com/capacityType", value: "SPOT" },
  { key: "cloud.google.com/gke-spot", value: "true" },
  { key: "cloud.google.com/gke-preemptible", value: "true" },
  { key: "kubernetes.azure.com/scalesetpriority", value: "spot" },
];
