/** Object metadata, options, Status, in the notation of `parse-schema.ts`. */
export const metaTypes = `
package io.k8s.apimachinery.pkg.apis.meta.v1
ObjectMeta
  name?: string #1
  generateName?: string #2
  namespace?: string #3
  selfLink?: string #4
  uid?: string #5
  resourceVersion?: string #6
  generation?: int64 #7
  creationTimestamp??: Time #8
  deletionTimestamp?: *Time #9
  deletionGracePeriodSeconds?: *int64 #10
  labels?: {}string #11
  annotations?: {}string #12
  ownerReferences?: []OwnerReference @map(uid) ^uid #13
  finalizers?: []string @set ^ #14
  managedFields?: []ManagedFieldsEntry @atomic #17
OwnerReference @atomic
  apiVersion!: string #5
  kind!: string #1
  name!: string #3
  uid!: string #4
  controller?: *bool #6
  blockOwnerDeletion?: *bool #7
ManagedFieldsEntry
  manager?: string #1
  operation?: string #2
  apiVersion?: string #3
  time?: *Time #4
  fieldsType?: string #6
  fieldsV1?: *any #7
  subresource?: string #8
DeleteOptions
  kind?: string
  apiVersion?: string
  gracePeriodSeconds?: *int64 #1
  preconditions?: *Preconditions #2
  orphanDependents?: *bool #3
  propagationPolicy?: *string #4
  dryRun?: []string @atomic #5
  ignoreStoreReadErrorWithClusterBreakingPotential?: *bool #6
Preconditions
  uid?: *string #1
  resourceVersion?: *string #2
LabelSelector @atomic
  matchLabels?: {}string #1
  matchExpressions?: []LabelSelectorRequirement @atomic #2
LabelSelectorRequirement
  key!: string #1
  operator!: string #2
  values?: []string @atomic #3
Condition
  type!: string #1
  status!: string #2
  observedGeneration?: int64 #3
  lastTransitionTime!: Time #4
  reason!: string #5
  message!: string #6
`;
