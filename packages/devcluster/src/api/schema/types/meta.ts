/** Object metadata, options, Status, in the notation of `parse-schema.ts`. */
export const metaTypes = `
package io.k8s.apimachinery.pkg.apis.meta.v1
ObjectMeta
  name?: string
  generateName?: string
  namespace?: string
  selfLink?: string
  uid?: string
  resourceVersion?: string
  generation?: int64
  creationTimestamp??: Time
  deletionTimestamp?: *Time
  deletionGracePeriodSeconds?: *int64
  labels?: {}string
  annotations?: {}string
  ownerReferences?: []OwnerReference @map(uid) ^uid
  finalizers?: []string @set ^
  managedFields?: []ManagedFieldsEntry @atomic
OwnerReference @atomic
  apiVersion!: string
  kind!: string
  name!: string
  uid!: string
  controller?: *bool
  blockOwnerDeletion?: *bool
ManagedFieldsEntry
  manager?: string
  operation?: string
  apiVersion?: string
  time?: *Time
  fieldsType?: string
  fieldsV1?: *any
  subresource?: string
ListMeta
  selfLink?: string
  resourceVersion?: string
  continue?: string
  remainingItemCount?: *int64
DeleteOptions
  kind?: string
  apiVersion?: string
  gracePeriodSeconds?: *int64
  preconditions?: *Preconditions
  orphanDependents?: *bool
  propagationPolicy?: *string
  dryRun?: []string @atomic
  ignoreStoreReadErrorWithClusterBreakingPotential?: *bool
Preconditions
  uid?: *string
  resourceVersion?: *string
Status
  kind?: string
  apiVersion?: string
  metadata?: ListMeta
  status?: string
  message?: string
  reason?: string
  details?: *StatusDetails @atomic
  code?: int32
StatusDetails
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: []StatusCause @atomic
  retryAfterSeconds?: int32
StatusCause
  reason?: string
  message?: string
  field?: string
LabelSelector @atomic
  matchLabels?: {}string
  matchExpressions?: []LabelSelectorRequirement @atomic
LabelSelectorRequirement
  key!: string
  operator!: string
  values?: []string @atomic
Condition
  type!: string
  status!: string
  observedGeneration?: int64
  lastTransitionTime!: Time
  reason!: string
  message!: string
FieldSelectorRequirement
  key!: string
  operator!: string
  values?: []string @atomic
`;
