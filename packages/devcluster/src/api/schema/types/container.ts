/** Containers of a pod, in the notation of `parse-schema.ts`. */
export const containerTypes = `
package io.k8s.api.core.v1
Container
  name!: string
  image?: string
  command?: []string @atomic
  args?: []string @atomic
  workingDir?: string
  ports?: []ContainerPort @map(containerPort,protocol) ^containerPort
  envFrom?: []EnvFromSource @atomic
  env?: []EnvVar @map(name) ^name
  resources?: ResourceRequirements
  resizePolicy?: []ContainerResizePolicy @atomic
  restartPolicy?: *string
  restartPolicyRules?: []ContainerRestartRule @atomic
  volumeMounts?: []VolumeMount @map(mountPath) ^mountPath
  volumeDevices?: []VolumeDevice @map(devicePath) ^devicePath
  livenessProbe?: *Probe
  readinessProbe?: *Probe
  startupProbe?: *Probe
  lifecycle?: *Lifecycle
  terminationMessagePath?: string = "/dev/termination-log"
  terminationMessagePolicy?: string = "File"
  imagePullPolicy?: string
  securityContext?: *SecurityContext
  stdin?: bool
  stdinOnce?: bool
  tty?: bool
ContainerPort
  name?: string
  hostPort?: int32
  containerPort!: int32
  protocol?: string = "TCP"
  hostIP?: string
EnvFromSource
  prefix?: string
  configMapRef?: *ConfigMapEnvSource
  secretRef?: *SecretEnvSource
ConfigMapEnvSource
  name?: string
  optional?: *bool
SecretEnvSource
  name?: string
  optional?: *bool
EnvVar
  name!: string
  value?: string
  valueFrom?: *EnvVarSource
EnvVarSource
  fieldRef?: *ObjectFieldSelector
  resourceFieldRef?: *ResourceFieldSelector
  configMapKeyRef?: *ConfigMapKeySelector
  secretKeyRef?: *SecretKeySelector
  fileKeyRef?: *FileKeySelector
ConfigMapKeySelector @atomic
  name?: string
  key!: string
  optional?: *bool
SecretKeySelector @atomic
  name?: string
  key!: string
  optional?: *bool
FileKeySelector @atomic
  volumeName!: string
  path!: string
  key!: string
  optional?: *bool
ResourceRequirements
  limits?: {}Quantity
  requests?: {}Quantity
  claims?: []ResourceClaim @map(name)
ResourceClaim
  name!: string
  request?: string
ContainerResizePolicy
  resourceName!: string
  restartPolicy!: string
ContainerRestartRule
  action?!: string
  exitCodes?: *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes
  operator?!: string
  values?: []int32 @set
VolumeMount
  name!: string
  readOnly?: bool
  recursiveReadOnly?: *string
  mountPath!: string
  subPath?: string
  mountPropagation?: *string
  subPathExpr?: string
VolumeDevice
  name!: string
  devicePath!: string
Probe
  exec?: *ExecAction
  httpGet?: *HTTPGetAction
  tcpSocket?: *TCPSocketAction
  grpc?: *GRPCAction
  initialDelaySeconds?: int32
  timeoutSeconds?: int32 = 1
  periodSeconds?: int32 = 10
  successThreshold?: int32 = 1
  failureThreshold?: int32 = 3
  terminationGracePeriodSeconds?: *int64
ExecAction
  command?: []string @atomic
HTTPGetAction
  path?: string = "/"
  port!: IntOrString
  host?: string
  scheme?: string = "HTTP"
  httpHeaders?: []HTTPHeader @atomic
HTTPHeader
  name!: string
  value!: string
TCPSocketAction
  port!: IntOrString
  host?: string
GRPCAction
  port!: int32
  service: *string = ""
Lifecycle
  postStart?: *LifecycleHandler
  preStop?: *LifecycleHandler
  stopSignal?: *string
LifecycleHandler
  exec?: *ExecAction
  httpGet?: *HTTPGetAction
  tcpSocket?: *TCPSocketAction
  sleep?: *SleepAction
SleepAction
  seconds!: int64
EphemeralContainer
  name!: string
  image?: string
  command?: []string @atomic
  args?: []string @atomic
  workingDir?: string
  ports?: []ContainerPort @map(containerPort,protocol) ^containerPort
  envFrom?: []EnvFromSource @atomic
  env?: []EnvVar @map(name) ^name
  resources?: ResourceRequirements
  resizePolicy?: []ContainerResizePolicy @atomic
  restartPolicy?: *string
  restartPolicyRules?: []ContainerRestartRule @atomic
  volumeMounts?: []VolumeMount @map(mountPath) ^mountPath
  volumeDevices?: []VolumeDevice @map(devicePath) ^devicePath
  livenessProbe?: *Probe
  readinessProbe?: *Probe
  startupProbe?: *Probe
  lifecycle?: *Lifecycle
  terminationMessagePath?: string = "/dev/termination-log"
  terminationMessagePolicy?: string = "File"
  imagePullPolicy?: string
  securityContext?: *SecurityContext
  stdin?: bool
  stdinOnce?: bool
  tty?: bool
  targetContainerName?: string
`;
