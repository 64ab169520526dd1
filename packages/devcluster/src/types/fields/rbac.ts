/** Roles and bindings, in the notation of `parse-schema.ts`. */
export const rbacTypes = `
package io.k8s.api.rbac.v1
Role
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  rules: []PolicyRule @atomic #2
PolicyRule
  verbs!: []string @atomic #1
  apiGroups?: []string @atomic #2
  resources?: []string @atomic #3
  resourceNames?: []string @atomic #4
  nonResourceURLs?: []string @atomic #5
RoleBinding
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  subjects?: []Subject @atomic #2
  roleRef!: RoleRef #3
Subject @atomic
  kind!: string #1
  apiGroup?: string #2
  name!: string #3
  namespace?: string #4
RoleRef @atomic
  apiGroup!: string #1
  kind!: string #2
  name!: string #3
ClusterRole
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  rules: []PolicyRule @atomic #2
  aggregationRule?: *AggregationRule #3
AggregationRule
  clusterRoleSelectors?: []LabelSelector @atomic #1
ClusterRoleBinding
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  subjects?: []Subject @atomic #2
  roleRef!: RoleRef #3
`;
