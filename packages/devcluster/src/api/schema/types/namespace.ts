/** Namespaces, quotas and limits, in the notation of `parse-schema.ts`. */
export const namespaceTypes = `
package io.k8s.api.core.v1
Namespace
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: NamespaceSpec
  status?: NamespaceStatus
NamespaceSpec
  finalizers?: []string @atomic
NamespaceStatus
  phase?: string
  conditions?: []NamespaceCondition @map(type) ^type
NamespaceCondition
  type!: string
  status!: string
  lastTransitionTime?: Time
  reason?: string
  message?: string
ResourceQuota
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: ResourceQuotaSpec
  status?: ResourceQuotaStatus
ResourceQuotaSpec
  hard?: {}Quantity
  scopes?: []string @atomic
  scopeSelector?: *ScopeSelector
ScopeSelector @atomic
  matchExpressions?: []ScopedResourceSelectorRequirement @atomic
ScopedResourceSelectorRequirement
  scopeName!: string
  operator!: string
  values?: []string @atomic
ResourceQuotaStatus
  hard?: {}Quantity
  used?: {}Quantity
LimitRange
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: LimitRangeSpec
LimitRangeSpec
  limits!: []LimitRangeItem @atomic
LimitRangeItem
  type!: string
  max?: {}Quantity
  min?: {}Quantity
  default?: {}Quantity
  defaultRequest?: {}Quantity
  maxLimitRequestRatio?: {}Quantity
`;
