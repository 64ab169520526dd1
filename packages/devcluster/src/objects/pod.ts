import type { Condition, JsonObject, KubeObject } from "@kindling/kube-objects";

/** Pods, with the fields that this package reads (`core/v1`). Objects may have more fields; the schema knows all. */
export interface Pod extends KubeObject {
  kind: "Pod";
  spec: PodSpec;
  status: PodStatus;
}

export type PodSpec = {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[] | null;
  restartPolicy: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  imagePullSecrets?: { name?: string }[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: { ip: string; hostnames?: string[] }[];
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  overhead?: ResourceList;
  /** The resources of all containers together. */
  resources?: ResourceRequirements;
  securityContext?: PodSecurityContext;
  enableServiceLinks?: boolean;
  readinessGates?: { conditionType: string }[];
  schedulingGates?: { name: string }[];
};

export type PodSecurityContext = {
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  fsGroup?: number;
  supplementalGroups?: number[];
};

export type SecurityContext = {
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
};

export type ResourceList = Record<string, string>;

export type ResourceRequirements = { limits?: ResourceList; requests?: ResourceList };

export type Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  restartPolicy?: string;
  volumeMounts?: VolumeMount[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { postStart?: Handler; preStop?: Handler };
  terminationMessagePath: string;
  terminationMessagePolicy: string;
  imagePullPolicy: string;
  securityContext?: SecurityContext;
};

export type ContainerPort = {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
};

export type EnvFromSource = {
  prefix?: string;
  configMapRef?: { name?: string; optional?: boolean };
  secretRef?: { name?: string; optional?: boolean };
};

export type KeySelector = { name?: string; key: string; optional?: boolean };

export type EnvVar = {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: { apiVersion?: string; fieldPath: string };
    resourceFieldRef?: { containerName?: string; resource: string; divisor?: string };
    configMapKeyRef?: KeySelector;
    secretKeyRef?: KeySelector;
  };
};

export type VolumeMount = {
  name: string;
  readOnly?: boolean;
  mountPath: string;
  subPath?: string;
  subPathExpr?: string;
};

export type Handler = {
  exec?: { command?: string[] };
  httpGet?: {
    path?: string;
    port: number | string;
    host?: string;
    scheme?: string;
    httpHeaders?: { name: string; value: string }[];
  };
  tcpSocket?: { port: number | string; host?: string };
  sleep?: { seconds: number };
};

export type Probe = Handler & {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
};

export type KeyToPath = { key: string; path: string; mode?: number };

export type DownwardFile = {
  path: string;
  fieldRef?: { apiVersion?: string; fieldPath: string };
  resourceFieldRef?: { containerName?: string; resource: string; divisor?: string };
  mode?: number;
};

export type VolumeProjection = {
  secret?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  configMap?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  downwardAPI?: { items?: DownwardFile[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: number; path: string };
};

export type Volume = {
  name: string;
  hostPath?: { path: string; type?: string };
  emptyDir?: { medium?: string; sizeLimit?: string };
  configMap?: { name?: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean };
  secret?: { secretName?: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean };
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number };
  projected?: { sources: VolumeProjection[] | null; defaultMode?: number };
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
  nfs?: { server: string; path: string; readOnly?: boolean };
  ephemeral?: { volumeClaimTemplate?: { metadata?: JsonObject; spec: JsonObject } };
};

export type Toleration = {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
};

export type NodeSelectorTerm = {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
};

export type Affinity = {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeSelectorTerm[] | null };
    preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeSelectorTerm }[];
  };
  podAffinity?: JsonObject;
  podAntiAffinity?: JsonObject;
};

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

export type PodStatus = {
  observedGeneration?: number;
  phase?: PodPhase;
  conditions?: Condition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: string;
};

export type TerminatedState = {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt: string | null;
  finishedAt: string | null;
  containerID?: string;
};

export type ContainerState = {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt: string | null };
  terminated?: TerminatedState;
};

export type ContainerStatus = {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: ResourceList;
  resources?: ResourceRequirements;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean; recursiveReadOnly?: string }[];
};

/** The containers of a pod that run after its init containers. */
export function containersOf(pod: Pod): Container[] {
  return pod.spec.containers ?? [];
}

/** Whether a pod has ended, with success or failure. */
export function isFinished({ status }: Pod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}
