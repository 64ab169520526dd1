/** Namespaces, quotas and limits, in the notation of `parse-schema.ts`. */
export const namespaceTypes = `
package io.k8s.api.core.v1
Namespace
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: NamespaceSpec #2
  status?: NamespaceStatus #3
NamespaceSpec
  finalizers?: []string @atomic #1
NamespaceStatus
  phase?: string #1
  conditions?: []NamespaceCondition @map(type) ^type #2
NamespaceCondition
  type!: string #1
  status!: string #2
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
ResourceQuota
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: ResourceQuotaSpec #2
  status?: ResourceQuotaStatus #3
ResourceQuotaSpec
  hard?: {}Quantity #1
  scopes?: []string @atomic #2
ResourceQuotaStatus
  hard?: {}Quantity #1
  used?: {}Quantity #2
`;
