/** Services and their endpoints, in the notation of `parse-schema.ts`. */
export const serviceTypes = `
package io.k8s.api.core.v1
Service
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: ServiceSpec #2
  status?: ServiceStatus #3
ServiceSpec
  ports?: []ServicePort @map(port,protocol) ^port #1
  selector?: {}string @atomic #2
  clusterIP?: string #3
  clusterIPs?: []string @atomic #18
  type?: string #4 = "ClusterIP"
  externalIPs?: []string @atomic #5
  sessionAffinity?: string #7 = "None"
  loadBalancerIP?: string #8
  loadBalancerSourceRanges?: []string @atomic #9
  externalName?: string #10
  externalTrafficPolicy?: string #11
  publishNotReadyAddresses?: bool #13
  sessionAffinityConfig?: *SessionAffinityConfig #14
  ipFamilies?: []string @atomic #19
  ipFamilyPolicy?: *string #17
  allocateLoadBalancerNodePorts?: *bool #20
  loadBalancerClass?: *string #21
  internalTrafficPolicy?: *string #22
ServicePort
  name?: string #1
  protocol?: string #2 = "TCP"
  appProtocol?: *string #6
  port!: int32 #3
  targetPort?: IntOrString #4
  nodePort?: int32 #5
SessionAffinityConfig
  clientIP?: *ClientIPConfig #1
ClientIPConfig
  timeoutSeconds?: *int32 #1
ServiceStatus
  loadBalancer?: LoadBalancerStatus #1
  conditions?: []Condition @map(type) ^type #2
LoadBalancerStatus
  ingress?: []LoadBalancerIngress @atomic #1
LoadBalancerIngress
  ip?: string #1
  hostname?: string #2
  ipMode?: *string #3
ObjectReference @atomic
  kind?: string #1
  namespace?: string #2
  name?: string #3
  uid?: string #4
  apiVersion?: string #5
  resourceVersion?: string #6
  fieldPath?: string #7
`;
