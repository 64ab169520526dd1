import type { EnvFromSource, Toleration } from "kubernetes-types/core/v1.js";
import type { Container, EnvVar, OwnerReference, PodSpec, Volume, VolumeMount } from "./kubernetes.ts";

/**
 * Changes to a pod as plain data, so that they can be sent to another process. Lists are added after the items that the pod
 * has, in their order.
 */
export interface PodChanges {
  readonly ownerReferences: readonly OwnerReference[];
  readonly volumes: readonly Volume[];
  readonly hostAliases: NonNullable<PodSpec["hostAliases"]>;
  readonly tolerations: readonly Toleration[];
  readonly initContainers: readonly Container[];
  readonly sidecars: readonly Container[];
  /** For Spark's container; so are the three below. */
  readonly env: readonly EnvVar[];
  readonly envFrom: readonly EnvFromSource[];
  readonly ports: NonNullable<Container["ports"]>;
  readonly volumeMounts: readonly VolumeMount[];
  /** Entries that replace those of the pod. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Entries that replace the limits of Spark's container: quantities by resource. */
  readonly limits: Readonly<Record<string, string>>;
  /** Fields that are set, no matter what the pod has there. */
  readonly spec: Readonly<Partial<PodSpec>>;
  readonly container: Readonly<Partial<Container>>;
  /** Fields that are removed from the pod. */
  readonly cleared: readonly (keyof PodSpec)[];
}
