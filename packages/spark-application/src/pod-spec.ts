import type { Container, EnvVar, Pod, PodSpec, VolumeMount } from "@kindling/core-spec";
import type {
  Affinity,
  EnvFromSource,
  Lifecycle,
  PodDNSConfig,
  PodSecurityContext,
  SecurityContext,
  Toleration,
} from "kubernetes-types/core/v1.js";

/** The fields that driver and executor have in common (kubeflow/spark-operator v2.5.2, api/v1beta2, `SparkPodSpec`). */
export interface SparkPodSpec {
  /** Spark's pod template: for spark-submit it is a file, here it is a part of the object. */
  readonly template?: Pod;
  readonly cores?: number;
  readonly coreRequest?: string;
  readonly coreLimit?: string;
  /** In Spark's units: `512m`, `2g`. */
  readonly memory?: string;
  readonly memoryOverhead?: string;
  /** The container's memory limit, in Spark's or Kubernetes' units. */
  readonly memoryLimit?: string;
  readonly gpu?: GpuSpec;
  readonly image?: string;
  readonly configMaps?: readonly NamePath[];
  readonly secrets?: readonly SecretInfo[];
  readonly env?: readonly EnvVar[];
  readonly envVars?: Readonly<Record<string, string>>;
  readonly envFrom?: readonly EnvFromSource[];
  readonly envSecretKeyRefs?: Readonly<Record<string, NameKey>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly podSecurityContext?: PodSecurityContext;
  readonly securityContext?: SecurityContext;
  readonly schedulerName?: string;
  readonly sidecars?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly hostNetwork?: boolean;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly dnsConfig?: PodDNSConfig;
  readonly terminationGracePeriodSeconds?: number;
  readonly serviceAccount?: string;
  readonly hostAliases?: NonNullable<PodSpec["hostAliases"]>;
  readonly shareProcessNamespace?: boolean;
  readonly javaOptions?: string;
  readonly lifecycle?: Lifecycle;
  readonly ports?: readonly Port[];
  readonly priorityClassName?: string;
}

export interface DriverSpec extends SparkPodSpec {
  readonly podName?: string;
  readonly kubernetesMaster?: string;
  readonly serviceAnnotations?: Readonly<Record<string, string>>;
  readonly serviceLabels?: Readonly<Record<string, string>>;
}

export interface ExecutorSpec extends SparkPodSpec {
  readonly instances?: number;
  readonly deleteOnTermination?: boolean;
}

export interface GpuSpec {
  readonly name: string;
  readonly quantity: number;
}

export interface NamePath {
  readonly name: string;
  readonly path: string;
}

export interface NameKey {
  readonly name: string;
  readonly key: string;
}

export interface SecretInfo {
  readonly name: string;
  readonly path: string;
  /** `GCPServiceAccount`, `HadoopDelegationToken` or `Generic`; others count as `Generic`. */
  readonly secretType: string;
}

export interface Port {
  readonly name: string;
  readonly protocol: string;
  readonly containerPort: number;
}
