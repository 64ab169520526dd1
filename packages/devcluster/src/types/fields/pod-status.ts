/** Pods: the observed state, in the notation of `parse-schema.ts`. */
export const podStatusTypes = `
package io.k8s.api.core.v1
PodStatus
  observedGeneration?: int64 #17
  phase?: string #1
  conditions?: []PodCondition @map(type) ^type #2
  message?: string #3
  reason?: string #4
  nominatedNodeName?: string #11
  hostIP?: string #5
  hostIPs?: []HostIP @atomic ^ip #16
  podIP?: string #6
  podIPs?: []PodIP @map(ip) ^ip #12
  startTime?: *Time #7
  initContainerStatuses?: []ContainerStatus @atomic #10
  containerStatuses?: []ContainerStatus @atomic #8
  qosClass?: string #9
  ephemeralContainerStatuses?: []ContainerStatus @atomic #13
  resize?: string #14
PodCondition
  type!: string #1
  observedGeneration?: int64 #7
  status!: string #2
  lastProbeTime?: Time #3
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
HostIP
  ip!: string #1
PodIP
  ip!: string #1
ContainerStatus
  name!: string #1
  state?: ContainerState #2
  lastState?: ContainerState #3
  ready!: bool #4
  restartCount!: int32 #5
  image!: string #6
  imageID!: string #7
  containerID?: string #8
  started?: *bool #9
  allocatedResources?: {}Quantity #10
  resources?: *ResourceRequirements #11
  volumeMounts?: []VolumeMountStatus @map(mountPath) ^mountPath #12
  user?: *ContainerUser #13
  stopSignal?: *string #15
ContainerState
  waiting?: *ContainerStateWaiting #1
  running?: *ContainerStateRunning #2
  terminated?: *ContainerStateTerminated #3
ContainerStateWaiting
  reason?: string #1
  message?: string #2
ContainerStateRunning
  startedAt?: Time #1
ContainerStateTerminated
  exitCode!: int32 #1
  signal?: int32 #2
  reason?: string #3
  message?: string #4
  startedAt?: Time #5
  finishedAt?: Time #6
  containerID?: string #7
VolumeMountStatus
  name!: string #1
  mountPath!: string #2
  readOnly?: bool #3
  recursiveReadOnly?: *string #4
ContainerUser
  linux?: *LinuxContainerUser #1
LinuxContainerUser
  uid!: int64 #1
  gid!: int64 #2
  supplementalGroups?: []int64 @atomic #3
`;
