/** Roles and bindings, in the notation of `parse-schema.ts`. */
export const rbacTypes = `
package io.k8s.api.rbac.v1
Role
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  rules: []PolicyRule @atomic
PolicyRule
  verbs!: []string @atomic
  apiGroups?: []string @atomic
  resources?: []string @atomic
  resourceNames?: []string @atomic
  nonResourceURLs?: []string @atomic
RoleBinding
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  subjects?: []Subject @atomic
  roleRef!: RoleRef
Subject @atomic
  kind!: string
  apiGroup?: string
  name!: string
  namespace?: string
RoleRef @atomic
  apiGroup!: string
  kind!: string
  name!: string
ClusterRole
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  rules: []PolicyRule @atomic
  aggregationRule?: *AggregationRule
AggregationRule
  clusterRoleSelectors?: []LabelSelector @atomic
ClusterRoleBinding
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  subjects?: []Subject @atomic
  roleRef!: RoleRef
`;
