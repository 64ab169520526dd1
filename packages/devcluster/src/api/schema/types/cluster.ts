/** Smaller groups: leases, endpoint slices, network policies, disruption budgets, priority and storage classes, in the notation of `parse-schema.ts`. */
export const clusterTypes = `
package io.k8s.api.coordination.v1
Lease
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: LeaseSpec
LeaseSpec
  holderIdentity?: *string
  leaseDurationSeconds?: *int32
  acquireTime?: *MicroTime
  renewTime?: *MicroTime
  leaseTransitions?: *int32
  strategy?: *string
  preferredHolder?: *string
package io.k8s.api.discovery.v1
EndpointSlice
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  addressType!: string
  endpoints!: []Endpoint @atomic
  ports: []DiscoveryEndpointPort @atomic
Endpoint
  addresses!: []string @set
  conditions?: EndpointConditions
  hostname?: *string
  targetRef?: *ObjectReference
  deprecatedTopology?: {}string
  nodeName?: *string
  zone?: *string
  hints?: *EndpointHints
EndpointConditions
  ready?: *bool
  serving?: *bool
  terminating?: *bool
EndpointHints
  forZones?: []ForZone @atomic
  forNodes?: []ForNode @atomic
ForZone
  name!: string
ForNode
  name!: string
DiscoveryEndpointPort as EndpointPort @atomic
  name?: *string = ""
  protocol?: *string = "TCP"
  port?: *int32
  appProtocol?: *string
package io.k8s.api.networking.v1
NetworkPolicy
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: NetworkPolicySpec
NetworkPolicySpec
  podSelector: LabelSelector
  ingress?: []NetworkPolicyIngressRule @atomic
  egress?: []NetworkPolicyEgressRule @atomic
  policyTypes?: []string @atomic
NetworkPolicyIngressRule
  ports?: []NetworkPolicyPort @atomic
  from?: []NetworkPolicyPeer @atomic
NetworkPolicyPort
  protocol?: *string = "TCP"
  port?: *IntOrString
  endPort?: *int32
NetworkPolicyPeer
  podSelector?: *LabelSelector
  namespaceSelector?: *LabelSelector
  ipBlock?: *IPBlock
IPBlock
  cidr!: string
  except?: []string @atomic
NetworkPolicyEgressRule
  ports?: []NetworkPolicyPort @atomic
  to?: []NetworkPolicyPeer @atomic
package io.k8s.api.policy.v1
PodDisruptionBudget
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: PodDisruptionBudgetSpec
  status?: PodDisruptionBudgetStatus
PodDisruptionBudgetSpec
  minAvailable?: *IntOrString
  selector?: *LabelSelector ~replace
  maxUnavailable?: *IntOrString
  unhealthyPodEvictionPolicy?: *string
PodDisruptionBudgetStatus
  observedGeneration?: int64
  disruptedPods?: {}Time
  disruptionsAllowed!: int32
  currentHealthy!: int32
  desiredHealthy!: int32
  expectedPods!: int32
  conditions?: []Condition @map(type) ^type
Eviction
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  deleteOptions?: *DeleteOptions
package io.k8s.api.scheduling.v1
PriorityClass
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  value!: int32
  globalDefault?: bool
  description?: string
  preemptionPolicy?: *string = "PreemptLowerPriority"
package io.k8s.api.storage.v1
StorageClass
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  provisioner!: string
  parameters?: {}string
  reclaimPolicy?: *string = "Delete"
  mountOptions?: []string @atomic
  allowVolumeExpansion?: *bool
  volumeBindingMode?: *string = "Immediate"
  allowedTopologies?: []TopologySelectorTerm @atomic
package io.k8s.api.core.v1
TopologySelectorTerm @atomic
  matchLabelExpressions?: []TopologySelectorLabelRequirement @atomic
TopologySelectorLabelRequirement
  key!: string
  values!: []string @atomic
`;
