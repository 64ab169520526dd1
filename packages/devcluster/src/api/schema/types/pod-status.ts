/** Pods: what is observed, in the notation of `parse-schema.ts`. */
export const podStatusTypes = `
package io.k8s.api.core.v1
PodStatus
  observedGeneration?: int64
  phase?: string
  conditions?: []PodCondition @map(type) ^type
  message?: string
  reason?: string
  nominatedNodeName?: string
  hostIP?: string
  hostIPs?: []HostIP @atomic ^ip
  podIP?: string
  podIPs?: []PodIP @map(ip) ^ip
  startTime?: *Time
  initContainerStatuses?: []ContainerStatus @atomic
  containerStatuses?: []ContainerStatus @atomic
  qosClass?: string
  ephemeralContainerStatuses?: []ContainerStatus @atomic
  resize?: string
  resourceClaimStatuses?: []PodResourceClaimStatus @map(name) ^name ~retainKeys
  extendedResourceClaimStatus?: *PodExtendedResourceClaimStatus
PodCondition
  type!: string
  observedGeneration?: int64
  status!: string
  lastProbeTime?: Time
  lastTransitionTime?: Time
  reason?: string
  message?: string
HostIP
  ip!: string
PodIP
  ip!: string
ContainerStatus
  name!: string
  state?: ContainerState
  lastState?: ContainerState
  ready!: bool
  restartCount!: int32
  image!: string
  imageID!: string
  containerID?: string
  started?: *bool
  allocatedResources?: {}Quantity
  resources?: *ResourceRequirements
  volumeMounts?: []VolumeMountStatus @map(mountPath) ^mountPath
  user?: *ContainerUser
  allocatedResourcesStatus?: []ResourceStatus @map(name) ^name
  stopSignal?: *string
ContainerState
  waiting?: *ContainerStateWaiting
  running?: *ContainerStateRunning
  terminated?: *ContainerStateTerminated
ContainerStateWaiting
  reason?: string
  message?: string
ContainerStateRunning
  startedAt?: Time
ContainerStateTerminated
  exitCode!: int32
  signal?: int32
  reason?: string
  message?: string
  startedAt?: Time
  finishedAt?: Time
  containerID?: string
VolumeMountStatus
  name!: string
  mountPath!: string
  readOnly?: bool
  recursiveReadOnly?: *string
ContainerUser
  linux?: *LinuxContainerUser
LinuxContainerUser
  uid!: int64
  gid!: int64
  supplementalGroups?: []int64 @atomic
ResourceStatus
  name!: string
  resources?: []ResourceHealth @map(resourceID)
ResourceHealth
  resourceID!: string
  health?: string
PodResourceClaimStatus
  name!: string
  resourceClaimName?: *string
PodExtendedResourceClaimStatus
  requestMappings!: []ContainerExtendedResourceRequest @atomic
  resourceClaimName!: string
ContainerExtendedResourceRequest
  containerName!: string
  resourceName!: string
  requestName!: string
`;
