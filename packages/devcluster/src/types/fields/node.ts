/** Nodes, in the notation of `parse-schema.ts`. */
export const nodeTypes = `
package io.k8s.api.core.v1
Node
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: NodeSpec #2
  status?: NodeStatus #3
NodeSpec
  podCIDR?: string #1
  podCIDRs?: []string @set ^ #7
  providerID?: string #3
  unschedulable?: bool #4
  taints?: []Taint @atomic #5
Taint
  key!: string #1
  value?: string #2
  effect!: string #3
  timeAdded?: *Time #4
NodeStatus
  capacity?: {}Quantity #1
  allocatable?: {}Quantity #2
  phase?: string #3
  conditions?: []NodeCondition @map(type) ^type #4
  addresses?: []NodeAddress @map(type) ^type #5
  daemonEndpoints?: NodeDaemonEndpoints #6
  nodeInfo?: NodeSystemInfo #7
NodeCondition
  type!: string #1
  status!: string #2
  lastHeartbeatTime?: Time #3
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
NodeAddress
  type!: string #1
  address!: string #2
NodeDaemonEndpoints
  kubeletEndpoint?: DaemonEndpoint #1
DaemonEndpoint
  Port!: int32 #1
NodeSystemInfo
  machineID!: string #1
  systemUUID!: string #2
  bootID!: string #3
  kernelVersion!: string #4
  osImage!: string #5
  containerRuntimeVersion!: string #6
  kubeletVersion!: string #7
  kubeProxyVersion!: string #8
  operatingSystem!: string #9
  architecture!: string #10
`;
