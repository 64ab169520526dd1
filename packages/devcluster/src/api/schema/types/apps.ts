/** Workloads and their scale, in the notation of `parse-schema.ts`. */
export const appsTypes = `
package io.k8s.api.apps.v1
Deployment
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: DeploymentSpec
  status?: DeploymentStatus
DeploymentSpec
  replicas?: *int32 = 1
  selector!: *LabelSelector
  template!: PodTemplateSpec
  strategy?: DeploymentStrategy ~retainKeys
  minReadySeconds?: int32
  revisionHistoryLimit?: *int32 = 10
  paused?: bool
  progressDeadlineSeconds?: *int32 = 600
DeploymentStrategy
  type?: string
  rollingUpdate?: *RollingUpdateDeployment
RollingUpdateDeployment
  maxUnavailable?: *IntOrString
  maxSurge?: *IntOrString
DeploymentStatus
  observedGeneration?: int64
  replicas?: int32
  updatedReplicas?: int32
  readyReplicas?: int32
  availableReplicas?: int32
  unavailableReplicas?: int32
  terminatingReplicas?: *int32
  conditions?: []DeploymentCondition @map(type) ^type
  collisionCount?: *int32
DeploymentCondition
  type!: string
  status!: string
  lastUpdateTime?: Time
  lastTransitionTime?: Time
  reason?: string
  message?: string
ReplicaSet
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: ReplicaSetSpec
  status?: ReplicaSetStatus
ReplicaSetSpec
  replicas?: *int32 = 1
  minReadySeconds?: int32
  selector!: *LabelSelector
  template?: PodTemplateSpec
ReplicaSetStatus
  replicas!: int32
  fullyLabeledReplicas?: int32
  readyReplicas?: int32
  availableReplicas?: int32
  terminatingReplicas?: *int32
  observedGeneration?: int64
  conditions?: []ReplicaSetCondition @map(type) ^type
ReplicaSetCondition
  type!: string
  status!: string
  lastTransitionTime?: Time
  reason?: string
  message?: string
StatefulSet
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: StatefulSetSpec
  status?: StatefulSetStatus
StatefulSetSpec
  replicas?: *int32 = 1
  selector!: *LabelSelector
  template!: PodTemplateSpec
  volumeClaimTemplates?: []PersistentVolumeClaim @atomic
  serviceName: string
  podManagementPolicy?: string = "OrderedReady"
  updateStrategy?: StatefulSetUpdateStrategy
  revisionHistoryLimit?: *int32 = 10
  minReadySeconds?: int32
  persistentVolumeClaimRetentionPolicy?: *StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals?: *StatefulSetOrdinals
StatefulSetUpdateStrategy
  type?: string
  rollingUpdate?: *RollingUpdateStatefulSetStrategy
RollingUpdateStatefulSetStrategy
  partition?: *int32
  maxUnavailable?: *IntOrString
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted?: string
  whenScaled?: string
StatefulSetOrdinals
  start: int32
StatefulSetStatus
  observedGeneration?: int64
  replicas!: int32
  readyReplicas?: int32
  currentReplicas?: int32
  updatedReplicas?: int32
  currentRevision?: string
  updateRevision?: string
  collisionCount?: *int32
  conditions?: []StatefulSetCondition @map(type) ^type
  availableReplicas: int32
StatefulSetCondition
  type!: string
  status!: string
  lastTransitionTime?: Time
  reason?: string
  message?: string
package io.k8s.api.autoscaling.v1
Scale
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: ScaleSpec
  status?: ScaleStatus
ScaleSpec
  replicas?: int32
ScaleStatus
  replicas!: int32
  selector?: string
`;
