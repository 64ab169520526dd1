import type {
  ConfigMap as K8sConfigMap,
  Container as K8sContainer,
  ContainerPort as K8sContainerPort,
  EnvVar as K8sEnvVar,
  KeyToPath as K8sKeyToPath,
  LocalObjectReference as K8sLocalObjectReference,
  PersistentVolumeClaimSpec,
  PodSpec as K8sPodSpec,
  ServiceSpec,
  Volume as K8sVolume,
  VolumeMount as K8sVolumeMount,
} from "kubernetes-types/core/v1.js";
import type { ObjectMeta as K8sObjectMeta, OwnerReference as K8sOwnerReference } from "kubernetes-types/meta/v1.js";
import type { NetworkPolicySpec } from "kubernetes-types/networking/v1.js";

/**
 * Kubernetes object types as a submitter writes them. Fields that only the API server sets (status, timestamps, managed
 * fields) are left out, so that values fit the types of `@kubernetes/client-node`, which are different for those fields.
 */
export type ObjectMeta = Omit<K8sObjectMeta, "creationTimestamp" | "deletionTimestamp" | "managedFields">;

export type Container = K8sContainer;
export type ContainerPort = K8sContainerPort;
export type EnvVar = K8sEnvVar;
export type KeyToPath = K8sKeyToPath;
export type LocalObjectReference = K8sLocalObjectReference;
export type OwnerReference = K8sOwnerReference;
export type Volume = Omit<K8sVolume, "ephemeral"> & {
  ephemeral?: { volumeClaimTemplate?: { metadata?: ObjectMeta; spec: PersistentVolumeClaimSpec } };
};
export type VolumeMount = K8sVolumeMount;

/** A pod spec that may still have no containers: while steps run, Spark's own container is kept apart. */
export type PodSpec = Omit<K8sPodSpec, "containers" | "volumes" | "hostAliases"> & {
  containers?: Container[];
  volumes?: Volume[];
  hostAliases?: { ip: string; hostnames?: string[] }[];
};

export interface Pod {
  apiVersion?: "v1";
  kind?: "Pod";
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

export interface Service {
  apiVersion: "v1";
  kind: "Service";
  metadata: ObjectMeta & { name: string };
  spec: ServiceSpec;
}

export interface ConfigMap extends Pick<K8sConfigMap, "data" | "binaryData" | "immutable"> {
  apiVersion: "v1";
  kind: "ConfigMap";
  metadata: ObjectMeta & { name: string };
}

/** Data values are base64, as on the wire. */
export interface Secret {
  apiVersion: "v1";
  kind: "Secret";
  metadata: ObjectMeta & { name: string };
  data?: Record<string, string>;
  immutable?: boolean;
  type?: string;
}

export interface PersistentVolumeClaim {
  apiVersion: "v1";
  kind: "PersistentVolumeClaim";
  metadata: ObjectMeta & { name: string };
  spec: PersistentVolumeClaimSpec;
}

export interface NetworkPolicy {
  apiVersion: "networking.k8s.io/v1";
  kind: "NetworkPolicy";
  metadata: ObjectMeta & { name: string };
  spec: NetworkPolicySpec;
}

/** Any object that a step may create besides the pod: the kinds above, or a custom resource. */
export interface KubernetesResource {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta & { name: string };
}
