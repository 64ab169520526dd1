import type { KubeObject } from "@kindling/kube-objects";

export type PolicyRule = {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};

/** A role, of a namespace or of the cluster. */
export interface Role extends KubeObject {
  rules: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: { matchLabels?: Record<string, string> }[] };
}

export type Subject = { kind: string; apiGroup?: string; name: string; namespace?: string };

/** Gives a role to subjects. */
export interface RoleBinding extends KubeObject {
  subjects?: Subject[];
  roleRef: { apiGroup: string; kind: string; name: string };
}
