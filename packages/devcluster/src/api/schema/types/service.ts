/** Services and their endpoints, in the notation of `parse-schema.ts`. */
export const serviceTypes = `
package io.k8s.api.core.v1
Service
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: ServiceSpec
  status?: ServiceStatus
ServiceSpec
  ports?: []ServicePort @map(port,protocol) ^port
  selector?: {}string @atomic
  clusterIP?: string
  clusterIPs?: []string @atomic
  type?: string = "ClusterIP"
  externalIPs?: []string @atomic
  sessionAffinity?: string = "None"
  loadBalancerIP?: string
  loadBalancerSourceRanges?: []string @atomic
  externalName?: string
  externalTrafficPolicy?: string
  healthCheckNodePort?: int32
  publishNotReadyAddresses?: bool
  sessionAffinityConfig?: *SessionAffinityConfig
  ipFamilies?: []string @atomic
  ipFamilyPolicy?: *string
  allocateLoadBalancerNodePorts?: *bool
  loadBalancerClass?: *string
  internalTrafficPolicy?: *string
  trafficDistribution?: *string
ServicePort
  name?: string
  protocol?: string = "TCP"
  appProtocol?: *string
  port!: int32
  targetPort?: IntOrString
  nodePort?: int32
SessionAffinityConfig
  clientIP?: *ClientIPConfig
ClientIPConfig
  timeoutSeconds?: *int32
ServiceStatus
  loadBalancer?: LoadBalancerStatus
  conditions?: []Condition @map(type) ^type
LoadBalancerStatus
  ingress?: []LoadBalancerIngress @atomic
LoadBalancerIngress
  ip?: string
  hostname?: string
  ipMode?: *string
  ports?: []PortStatus @atomic
PortStatus
  port!: int32
  protocol!: string
  error?: *string
Endpoints
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  subsets?: []EndpointSubset @atomic
EndpointSubset
  addresses?: []EndpointAddress @atomic
  notReadyAddresses?: []EndpointAddress @atomic
  ports?: []EndpointPort @atomic
EndpointAddress @atomic
  ip!: string
  hostname?: string
  nodeName?: *string
  targetRef?: *ObjectReference
ObjectReference @atomic
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  apiVersion?: string
  resourceVersion?: string
  fieldPath?: string
EndpointPort @atomic
  name?: string
  port!: int32
  protocol?: string = "TCP"
  appProtocol?: *string
`;
