/** Containers of a pod, in the notation of `parse-schema.ts`. */
export const containerTypes = `
package io.k8s.api.core.v1
Container
  name!: string #1
  image?: string #2
  command?: []string @atomic #3
  args?: []string @atomic #4
  workingDir?: string #5
  ports?: []ContainerPort @map(containerPort,protocol) ^containerPort #6
  envFrom?: []EnvFromSource @atomic #19
  env?: []EnvVar @map(name) ^name #7
  resources?: ResourceRequirements #8
  resizePolicy?: []ContainerResizePolicy @atomic #23
  restartPolicy?: *string #24
  volumeMounts?: []VolumeMount @map(mountPath) ^mountPath #9
  volumeDevices?: []VolumeDevice @map(devicePath) ^devicePath #21
  livenessProbe?: *Probe #10
  readinessProbe?: *Probe #11
  startupProbe?: *Probe #22
  lifecycle?: *Lifecycle #12
  terminationMessagePath?: string #13 = "/dev/termination-log"
  terminationMessagePolicy?: string #20 = "File"
  imagePullPolicy?: string #14
  securityContext?: *SecurityContext #15
  stdin?: bool #16
  stdinOnce?: bool #17
  tty?: bool #18
ContainerPort
  name?: string #1
  hostPort?: int32 #2
  containerPort!: int32 #3
  protocol?: string #4 = "TCP"
  hostIP?: string #5
EnvFromSource
  prefix?: string #1
  configMapRef?: *ConfigMapEnvSource #2
  secretRef?: *SecretEnvSource #3
ConfigMapEnvSource
  name?: string #1.1
  optional?: *bool #2
SecretEnvSource
  name?: string #1.1
  optional?: *bool #2
EnvVar
  name!: string #1
  value?: string #2
  valueFrom?: *EnvVarSource #3
EnvVarSource
  fieldRef?: *ObjectFieldSelector #1
  resourceFieldRef?: *ResourceFieldSelector #2
  configMapKeyRef?: *ConfigMapKeySelector #3
  secretKeyRef?: *SecretKeySelector #4
ConfigMapKeySelector @atomic
  name?: string #1.1
  key!: string #2
  optional?: *bool #3
SecretKeySelector @atomic
  name?: string #1.1
  key!: string #2
  optional?: *bool #3
ResourceRequirements
  limits?: {}Quantity #1
  requests?: {}Quantity #2
ContainerResizePolicy
  resourceName!: string #1
  restartPolicy!: string #2
VolumeMount
  name!: string #1
  readOnly?: bool #2
  recursiveReadOnly?: *string #7
  mountPath!: string #3
  subPath?: string #4
  mountPropagation?: *string #5
  subPathExpr?: string #6
VolumeDevice
  name!: string #1
  devicePath!: string #2
Probe
  exec?: *ExecAction #1.1
  httpGet?: *HTTPGetAction #1.2
  tcpSocket?: *TCPSocketAction #1.3
  grpc?: *GRPCAction #1.4
  initialDelaySeconds?: int32 #2
  timeoutSeconds?: int32 #3 = 1
  periodSeconds?: int32 #4 = 10
  successThreshold?: int32 #5 = 1
  failureThreshold?: int32 #6 = 3
  terminationGracePeriodSeconds?: *int64 #7
ExecAction
  command?: []string @atomic #1
HTTPGetAction
  path?: string #1 = "/"
  port!: IntOrString #2
  host?: string #3
  scheme?: string #4 = "HTTP"
  httpHeaders?: []HTTPHeader @atomic #5
HTTPHeader
  name!: string #1
  value!: string #2
TCPSocketAction
  port!: IntOrString #1
  host?: string #2
GRPCAction
  port!: int32 #1
  service: *string #2 = ""
Lifecycle
  postStart?: *LifecycleHandler #1
  preStop?: *LifecycleHandler #2
  stopSignal?: *string #3
LifecycleHandler
  exec?: *ExecAction #1
  httpGet?: *HTTPGetAction #2
  tcpSocket?: *TCPSocketAction #3
  sleep?: *SleepAction #4
SleepAction
  seconds!: int64 #1
`;
