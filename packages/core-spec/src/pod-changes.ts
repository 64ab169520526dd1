import type { EnvFromSource, Toleration } from "kubernetes-types/core/v1.js";
import type { Container, EnvVar, OwnerReference, PodSpec, Volume, VolumeMount } from "./kubernetes.ts";

/**
 * What is to be done to a pod, as plain data, so that it can be handed to another process. Lists go behind what the pod
 * has, in their order.
 */
export interface PodChanges {
  readonly ownerReferences: readonly OwnerReference[];
  readonly volumes: readonly Volume[];
  readonly hostAliases: NonNullable<PodSpec["hostAliases"]>;
  readonly tolerations: readonly Toleration[];
  readonly initContainers: readonly Container[];
  readonly sidecars: readonly Container[];
  /** Of Spark's container, as the three below. */
  readonly env: readonly EnvVar[];
  readonly envFrom: readonly EnvFromSource[];
  readonly ports: NonNullable<Container["ports"]>;
  readonly volumeMounts: readonly VolumeMount[];
  /** Entries that win over those of the pod. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Entries that win over the limits of Spark's container: quantities by resource. */
  readonly limits: Readonly<Record<string, string>>;
  /** Fields that are set whatever the pod has there. */
  readonly spec: Readonly<Partial<PodSpec>>;
  readonly container: Readonly<Partial<Container>>;
  /** Fields that the pod loses. */
  readonly cleared: readonly (keyof PodSpec)[];
}
