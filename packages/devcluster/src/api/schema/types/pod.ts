/** Pods: what a user asks for, in the notation of `parse-schema.ts`. */
export const podTypes = `
package io.k8s.api.core.v1
Pod
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec?: PodSpec
  status?: PodStatus
PodSpec
  volumes?: []Volume @map(name) ^name ~retainKeys
  initContainers?: []Container @map(name) ^name
  containers!: []Container @map(name) ^name
  ephemeralContainers?: []EphemeralContainer @map(name) ^name
  restartPolicy?: string = "Always"
  terminationGracePeriodSeconds?: *int64 = 30
  activeDeadlineSeconds?: *int64
  dnsPolicy?: string = "ClusterFirst"
  nodeSelector?: {}string @atomic
  serviceAccountName?: string
  serviceAccount?: string
  automountServiceAccountToken?: *bool
  nodeName?: string
  hostNetwork?: bool
  hostPID?: bool
  hostIPC?: bool
  shareProcessNamespace?: *bool
  securityContext?: *PodSecurityContext = {}
  imagePullSecrets?: []LocalObjectReference @map(name) ^name
  hostname?: string
  subdomain?: string
  affinity?: *Affinity
  schedulerName?: string = "default-scheduler"
  tolerations?: []Toleration @atomic
  hostAliases?: []HostAlias @map(ip) ^ip
  priorityClassName?: string
  priority?: *int32
  dnsConfig?: *PodDNSConfig
  readinessGates?: []PodReadinessGate @atomic
  runtimeClassName?: *string
  enableServiceLinks?: *bool
  preemptionPolicy?: *string
  overhead?: {}Quantity
  topologySpreadConstraints?: []TopologySpreadConstraint @map(topologyKey,whenUnsatisfiable) ^topologyKey
  setHostnameAsFQDN?: *bool
  os?: *PodOS
  hostUsers?: *bool
  schedulingGates?: []PodSchedulingGate @map(name) ^name
  resourceClaims?: []PodResourceClaim @map(name) ^name ~retainKeys
  resources?: *ResourceRequirements
  hostnameOverride?: *string
SecurityContext
  capabilities?: *Capabilities
  privileged?: *bool
  seLinuxOptions?: *SELinuxOptions
  windowsOptions?: *WindowsSecurityContextOptions
  runAsUser?: *int64
  runAsGroup?: *int64
  runAsNonRoot?: *bool
  readOnlyRootFilesystem?: *bool
  allowPrivilegeEscalation?: *bool
  procMount?: *string
  seccompProfile?: *SeccompProfile
  appArmorProfile?: *AppArmorProfile
Capabilities
  add?: []string @atomic
  drop?: []string @atomic
SELinuxOptions
  user?: string
  role?: string
  type?: string
  level?: string
WindowsSecurityContextOptions
  gmsaCredentialSpecName?: *string
  gmsaCredentialSpec?: *string
  runAsUserName?: *string
  hostProcess?: *bool
SeccompProfile
  type!: string
  localhostProfile?: *string
AppArmorProfile
  type!: string
  localhostProfile?: *string
PodSecurityContext
  seLinuxOptions?: *SELinuxOptions
  windowsOptions?: *WindowsSecurityContextOptions
  runAsUser?: *int64
  runAsGroup?: *int64
  runAsNonRoot?: *bool
  supplementalGroups?: []int64 @atomic
  supplementalGroupsPolicy?: *string
  fsGroup?: *int64
  sysctls?: []Sysctl @atomic
  fsGroupChangePolicy?: *string
  seccompProfile?: *SeccompProfile
  appArmorProfile?: *AppArmorProfile
  seLinuxChangePolicy?: *string
Sysctl
  name!: string
  value!: string
Affinity
  nodeAffinity?: *NodeAffinity
  podAffinity?: *PodAffinity
  podAntiAffinity?: *PodAntiAffinity
NodeAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: *NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution?: []PreferredSchedulingTerm @atomic
NodeSelector @atomic
  nodeSelectorTerms!: []NodeSelectorTerm @atomic
NodeSelectorTerm @atomic
  matchExpressions?: []NodeSelectorRequirement @atomic
  matchFields?: []NodeSelectorRequirement @atomic
NodeSelectorRequirement
  key!: string
  operator!: string
  values?: []string @atomic
PreferredSchedulingTerm
  weight!: int32
  preference!: NodeSelectorTerm
PodAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: []PodAffinityTerm @atomic
  preferredDuringSchedulingIgnoredDuringExecution?: []WeightedPodAffinityTerm @atomic
PodAffinityTerm
  labelSelector?: *LabelSelector
  namespaces?: []string @atomic
  topologyKey!: string
  namespaceSelector?: *LabelSelector
  matchLabelKeys?: []string @atomic
  mismatchLabelKeys?: []string @atomic
WeightedPodAffinityTerm
  weight!: int32
  podAffinityTerm!: PodAffinityTerm
PodAntiAffinity
  requiredDuringSchedulingIgnoredDuringExecution?: []PodAffinityTerm @atomic
  preferredDuringSchedulingIgnoredDuringExecution?: []WeightedPodAffinityTerm @atomic
Toleration
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: *int64
HostAlias
  ip!: string
  hostnames?: []string @atomic
PodDNSConfig
  nameservers?: []string @atomic
  searches?: []string @atomic
  options?: []PodDNSConfigOption @atomic
PodDNSConfigOption
  name?: string
  value?: *string
PodReadinessGate
  conditionType!: string
TopologySpreadConstraint
  maxSkew!: int32
  topologyKey!: string
  whenUnsatisfiable!: string
  labelSelector?: *LabelSelector
  minDomains?: *int32
  nodeAffinityPolicy?: *string
  nodeTaintsPolicy?: *string
  matchLabelKeys?: []string @atomic
PodOS
  name!: string
PodSchedulingGate
  name!: string
PodResourceClaim
  name!: string
  resourceClaimName?: *string
  resourceClaimTemplateName?: *string
PodTemplate
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  template?: PodTemplateSpec
PodTemplateSpec
  metadata?: ObjectMeta
  spec?: PodSpec
Binding
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  target!: ObjectReference
`;
