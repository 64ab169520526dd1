/** Nodes, in the notation of `parse-schema.ts`. */
export const nodeTypes = `
package io.k8s.api.core.v1
Node
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: NodeSpec
  status?: NodeStatus
NodeSpec
  podCIDR?: string
  podCIDRs?: []string @set ^
  providerID?: string
  unschedulable?: bool
  taints?: []Taint @atomic
  configSource?: *NodeConfigSource
  externalID?: string
Taint
  key!: string
  value?: string
  effect!: string
  timeAdded?: *Time
NodeConfigSource
  configMap?: *ConfigMapNodeConfigSource
ConfigMapNodeConfigSource
  namespace!: string
  name!: string
  uid?: string
  resourceVersion?: string
  kubeletConfigKey!: string
NodeStatus
  capacity?: {}Quantity
  allocatable?: {}Quantity
  phase?: string
  conditions?: []NodeCondition @map(type) ^type
  addresses?: []NodeAddress @map(type) ^type
  daemonEndpoints?: NodeDaemonEndpoints
  nodeInfo?: NodeSystemInfo
  images?: []ContainerImage @atomic
  volumesInUse?: []string @atomic
  volumesAttached?: []AttachedVolume @atomic
  config?: *NodeConfigStatus
  runtimeHandlers?: []NodeRuntimeHandler @atomic
  features?: *NodeFeatures
NodeCondition
  type!: string
  status!: string
  lastHeartbeatTime?: Time
  lastTransitionTime?: Time
  reason?: string
  message?: string
NodeAddress
  type!: string
  address!: string
NodeDaemonEndpoints
  kubeletEndpoint?: DaemonEndpoint
DaemonEndpoint
  Port!: int32
NodeSystemInfo
  machineID!: string
  systemUUID!: string
  bootID!: string
  kernelVersion!: string
  osImage!: string
  containerRuntimeVersion!: string
  kubeletVersion!: string
  kubeProxyVersion!: string
  operatingSystem!: string
  architecture!: string
  swap?: *NodeSwapStatus
NodeSwapStatus
  capacity?: *int64
ContainerImage
  names: []string @atomic
  sizeBytes?: int64
AttachedVolume
  name!: string
  devicePath!: string
NodeConfigStatus
  assigned?: *NodeConfigSource
  active?: *NodeConfigSource
  lastKnownGood?: *NodeConfigSource
  error?: string
NodeRuntimeHandler
  name: string
  features?: *NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures
  recursiveReadOnlyMounts?: *bool
  userNamespaces?: *bool
NodeFeatures
  supplementalGroupsPolicy?: *bool
`;
