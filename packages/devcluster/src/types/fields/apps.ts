/** Workloads and their scale, in the notation of `parse-schema.ts`. */
export const appsTypes = `
package io.k8s.api.apps.v1
Deployment
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: DeploymentSpec #2
  status?: DeploymentStatus #3
DeploymentSpec
  replicas?: *int32 #1 = 1
  selector!: *LabelSelector #2
  template!: PodTemplateSpec #3
  strategy?: DeploymentStrategy ~retainKeys #4
  minReadySeconds?: int32 #5
  revisionHistoryLimit?: *int32 #6 = 10
  paused?: bool #7
  progressDeadlineSeconds?: *int32 #9 = 600
DeploymentStrategy
  type?: string #1
  rollingUpdate?: *RollingUpdateDeployment #2
RollingUpdateDeployment
  maxUnavailable?: *IntOrString #1
  maxSurge?: *IntOrString #2
DeploymentStatus
  observedGeneration?: int64 #1
  replicas?: int32 #2
  updatedReplicas?: int32 #3
  readyReplicas?: int32 #7
  availableReplicas?: int32 #4
  unavailableReplicas?: int32 #5
  conditions?: []DeploymentCondition @map(type) ^type #6
  collisionCount?: *int32 #8
DeploymentCondition
  type!: string #1
  status!: string #2
  lastUpdateTime?: Time #6
  lastTransitionTime?: Time #7
  reason?: string #4
  message?: string #5
ReplicaSet
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: ReplicaSetSpec #2
  status?: ReplicaSetStatus #3
ReplicaSetSpec
  replicas?: *int32 #1 = 1
  minReadySeconds?: int32 #4
  selector!: *LabelSelector #2
  template?: PodTemplateSpec #3
ReplicaSetStatus
  replicas!: int32 #1
  fullyLabeledReplicas?: int32 #2
  readyReplicas?: int32 #4
  availableReplicas?: int32 #5
  observedGeneration?: int64 #3
  conditions?: []ReplicaSetCondition @map(type) ^type #6
ReplicaSetCondition
  type!: string #1
  status!: string #2
  lastTransitionTime?: Time #3
  reason?: string #4
  message?: string #5
StatefulSet
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: StatefulSetSpec #2
  status?: StatefulSetStatus #3
StatefulSetSpec
  replicas?: *int32 #1 = 1
  selector!: *LabelSelector #2
  template!: PodTemplateSpec #3
  volumeClaimTemplates?: []PersistentVolumeClaim @atomic #4
  serviceName: string #5
  podManagementPolicy?: string #6 = "OrderedReady"
  updateStrategy?: StatefulSetUpdateStrategy #7
  revisionHistoryLimit?: *int32 #8 = 10
  minReadySeconds?: int32 #9
  persistentVolumeClaimRetentionPolicy?: *StatefulSetPersistentVolumeClaimRetentionPolicy #10
StatefulSetUpdateStrategy
  type?: string #1
  rollingUpdate?: *RollingUpdateStatefulSetStrategy #2
RollingUpdateStatefulSetStrategy
  partition?: *int32 #1
  maxUnavailable?: *IntOrString #2
StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted?: string #1
  whenScaled?: string #2
StatefulSetStatus
  observedGeneration?: int64 #1
  replicas!: int32 #2
  readyReplicas?: int32 #3
  currentReplicas?: int32 #4
  updatedReplicas?: int32 #5
  currentRevision?: string #6
  updateRevision?: string #7
  collisionCount?: *int32 #9
  conditions?: []StatefulSetCondition @map(type) ^type #10
  availableReplicas: int32 #11
StatefulSetCondition
  type!: string #1
  status!: string #2
  lastTransitionTime?: Time #3
  reason?: string #4
  message?: string #5
package io.k8s.api.autoscaling.v1
Scale
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: ScaleSpec #2
  status?: ScaleStatus #3
ScaleSpec
  replicas?: int32 #1
ScaleStatus
  replicas!: int32 #1
  selector?: string #2
`;
