/** Pods: the desired state, in the notation of `parse-schema.ts`. */
export const podTypes = `
package io.k8s.api.core.v1
Pod
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: PodSpec #2
  status?: PodStatus #3
PodSpec
  volumes?: []Volume @map(name) ^name ~retainKeys #1
  initContainers?: []Container @map(name) ^name #20
  containers!: []Container @map(name) ^name #2
  restartPolicy?: string #3 = "Always"
  terminationGracePeriodSeconds?: *int64 #4 = 30
  activeDeadlineSeconds?: *int64 #5
  dnsPolicy?: string #6 = "ClusterFirst"
  nodeSelector?: {}string @atomic #7
  serviceAccountName?: string #8
  serviceAccount?: string #9
  automountServiceAccountToken?: *bool #21
  nodeName?: string #10
  hostNetwork?: bool #11
  hostPID?: bool #12
  hostIPC?: bool #13
  shareProcessNamespace?: *bool #27
  securityContext?: *PodSecurityContext #14 = {}
  imagePullSecrets?: []LocalObjectReference @map(name) ^name #15
  hostname?: string #16
  subdomain?: string #17
  affinity?: *Affinity #18
  schedulerName?: string #19 = "default-scheduler"
  tolerations?: []Toleration @atomic #22
  hostAliases?: []HostAlias @map(ip) ^ip #23
  priorityClassName?: string #24
  priority?: *int32 #25
  dnsConfig?: *PodDNSConfig #26
  readinessGates?: []PodReadinessGate @atomic #28
  runtimeClassName?: *string #29
  enableServiceLinks?: *bool #30
  preemptionPolicy?: *string #31
  overhead?: {}Quantity #32
  topologySpreadConstraints?: []TopologySpreadConstraint @map(topologyKey,whenUnsatisfiable) ^topologyKey #33
  setHostnameAsFQDN?: *bool #35
  os?: *PodOS #36
  hostUsers?: *bool #37
  schedulingGates?: []PodSchedulingGate @map(name) ^name #38
  resources?: *ResourceRequirements #40
  hostnameOverride?: *string #41
SecurityContext
  capabilities?: *Capabilities #1
  privileged?: *bool #2
  seLinuxOptions?: *SELinuxOptions #3
  runAsUser?: *int64 #4
  runAsGroup?: *int64 #8
  runAsNonRoot?: *bool #5
  readOnlyRootFilesystem?: *bool #6
  allowPrivilegeEscalation?: *bool #7
  procMount?: *string #9
  seccompProfile?: *SeccompProfile #11
  appArmorProfile?: *AppArmorProfile #12
Capabilities
  add?: []string @atomic #1
  drop?: []string @atomic #2
SELinuxOptions
  user?: string #1
  role?: string #2
  type?: string #3
  level?: string #4
SeccompProfile
  type!: string #1
  localhostProfile?: *string #2
AppArmorProfile
  type!: string #1
  localhostProfile?: *string #2
PodSecurityContext
  seLinuxOptions?: *SELinuxOptions #1
  runAsUser?: *int64 #2
  runAsGroup?: *int64 #6
  runAsNonRoot?: *bool #3
  supplementalGroups?: []int64 @atomic #4
  supplementalGroupsPolicy?: *string #12
  fsGroup?: *int64 #5
  sysctls?: []Sysctl @atomic #7
  fsGroupChangePolicy?: *string #9
  seccompProfile?: *SeccompProfile #10
  appArmorProfile?: *AppArmorProfile #11
  seLinuxChangePolicy?: *string #13
Sysctl
  name!: string #1
  value!: string #2
Affinity
  nodeAffinity?: *NodeAffinity #1
  podAffinity?: *PodAffinity #2
  podAntiAffinity?: *PodAntiAffinity #3
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: *NodeSelector #1
  preferredDuringSchedulingIgnoredDuringExecution?: []PreferredSchedulingTerm @atomic #2
NodeSelector @atomic
  nodeSelectorTerms!: []NodeSelectorTerm @atomic #1
NodeSelectorTerm @atomic
  matchExpressions?: []NodeSelectorRequirement @atomic #1
  matchFields?: []NodeSelectorRequirement @atomic #2
NodeSelectorRequirement
  key!: string #1
  operator!: string #2
  values?: []string @atomic #3
PreferredSchedulingTerm
  weight!: int32 #1
  preference!: NodeSelectorTerm #2
PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: []PodAffinityTerm @atomic #1
  preferredDuringSchedulingIgnoredDuringExecution?: []WeightedPodAffinityTerm @atomic #2
PodAffinityTerm
  labelSelector?: *LabelSelector #1
  namespaces?: []string @atomic #2
  topologyKey!: string #3
  namespaceSelector?: *LabelSelector #4
  matchLabelKeys?: []string @atomic #5
  mismatchLabelKeys?: []string @atomic #6
WeightedPodAffinityTerm
  weight!: int32 #1
  podAffinityTerm!: PodAffinityTerm #2
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: []PodAffinityTerm @atomic #1
  preferredDuringSchedulingIgnoredDuringExecution?: []WeightedPodAffinityTerm @atomic #2
Toleration
  key?: string #1
  operator?: string #2
  value?: string #3
  effect?: string #4
  tolerationSeconds?: *int64 #5
HostAlias
  ip!: string #1
  hostnames?: []string @atomic #2
PodDNSConfig
  nameservers?: []string @atomic #1
  searches?: []string @atomic #2
  options?: []PodDNSConfigOption @atomic #3
PodDNSConfigOption
  name?: string #1
  value?: *string #2
PodReadinessGate
  conditionType!: string #1
TopologySpreadConstraint
  maxSkew!: int32 #1
  topologyKey!: string #2
  whenUnsatisfiable!: string #3
  labelSelector?: *LabelSelector #4
  minDomains?: *int32 #5
  nodeAffinityPolicy?: *string #6
  nodeTaintsPolicy?: *string #7
  matchLabelKeys?: []string @atomic #8
PodOS
  name!: string #1
PodSchedulingGate
  name!: string #1
PodTemplateSpec
  metadata?: ObjectMeta #1
  spec?: PodSpec #2
`;
