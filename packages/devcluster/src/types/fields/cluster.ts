/** Smaller groups: leases, endpoint slices, network policies, disruption budgets, priority and storage classes, in the notation of `parse-schema.ts`. */
export const clusterTypes = `
package io.k8s.api.coordination.v1
Lease
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: LeaseSpec #2
LeaseSpec
  holderIdentity?: *string #1
  leaseDurationSeconds?: *int32 #2
  acquireTime?: *MicroTime #3
  renewTime?: *MicroTime #4
  leaseTransitions?: *int32 #5
  strategy?: *string #6
  preferredHolder?: *string #7
package io.k8s.api.discovery.v1
EndpointSlice
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  addressType!: string #4
  endpoints!: []Endpoint @atomic #2
  ports: []EndpointPort @atomic #3
Endpoint
  addresses!: []string @set #1
  conditions?: EndpointConditions #2
  hostname?: *string #3
  targetRef?: *ObjectReference #4
  deprecatedTopology?: {}string #5
  nodeName?: *string #6
  zone?: *string #7
EndpointConditions
  ready?: *bool #1
  serving?: *bool #2
  terminating?: *bool #3
EndpointPort @atomic
  name?: *string #1 = ""
  protocol?: *string #2 = "TCP"
  port?: *int32 #3
  appProtocol?: *string #4
package io.k8s.api.networking.v1
NetworkPolicy
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: NetworkPolicySpec #2
NetworkPolicySpec
  podSelector: LabelSelector #1
  ingress?: []NetworkPolicyIngressRule @atomic #2
  egress?: []NetworkPolicyEgressRule @atomic #3
  policyTypes?: []string @atomic #4
NetworkPolicyIngressRule
  ports?: []NetworkPolicyPort @atomic #1
  from?: []NetworkPolicyPeer @atomic #2
NetworkPolicyPort
  protocol?: *string #1 = "TCP"
  port?: *IntOrString #2
  endPort?: *int32 #3
NetworkPolicyPeer
  podSelector?: *LabelSelector #1
  namespaceSelector?: *LabelSelector #2
  ipBlock?: *IPBlock #3
IPBlock
  cidr!: string #1
  except?: []string @atomic #2
NetworkPolicyEgressRule
  ports?: []NetworkPolicyPort @atomic #1
  to?: []NetworkPolicyPeer @atomic #2
package io.k8s.api.policy.v1
PodDisruptionBudget
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: PodDisruptionBudgetSpec #2
  status?: PodDisruptionBudgetStatus #3
PodDisruptionBudgetSpec
  minAvailable?: *IntOrString #1
  selector?: *LabelSelector ~replace #2
  maxUnavailable?: *IntOrString #3
  unhealthyPodEvictionPolicy?: *string #4
PodDisruptionBudgetStatus
  observedGeneration?: int64 #1
  disruptedPods?: {}Time #2
  disruptionsAllowed!: int32 #3
  currentHealthy!: int32 #4
  desiredHealthy!: int32 #5
  expectedPods!: int32 #6
  conditions?: []Condition @map(type) ^type #7
Eviction
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  deleteOptions?: *DeleteOptions #2
package io.k8s.api.scheduling.v1
PriorityClass
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  value!: int32 #2
  globalDefault?: bool #3
  description?: string #4
  preemptionPolicy?: *string #5 = "PreemptLowerPriority"
package io.k8s.api.storage.v1
StorageClass
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  provisioner!: string #2
  parameters?: {}string #3
  reclaimPolicy?: *string #4 = "Delete"
  mountOptions?: []string @atomic #5
  allowVolumeExpansion?: *bool #6
  volumeBindingMode?: *string #7 = "Immediate"
package io.k8s.api.core.v1
`;
