import type { Container, EnvVar, OwnerReference, PodSpec, Volume, VolumeMount } from "@kindling/core-spec";
import type { EnvFromSource, Toleration } from "kubernetes-types/core/v1.js";

/** What is to be done to a pod, as plain data. Lists go behind what the pod has, in their order. */
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

const NO_CHANGES: PodChanges = {
  ownerReferences: [],
  volumes: [],
  hostAliases: [],
  tolerations: [],
  initContainers: [],
  sidecars: [],
  env: [],
  envFrom: [],
  ports: [],
  volumeMounts: [],
  nodeSelector: {},
  limits: {},
  spec: {},
  container: {},
  cleared: [],
};

/** All changes, one after the other. */
export function combined(all: readonly Partial<PodChanges>[]): PodChanges {
  return all.reduce<PodChanges>((sum, next) => {
    const more = { ...NO_CHANGES, ...next };
    return {
      ownerReferences: [...sum.ownerReferences, ...more.ownerReferences],
      volumes: [...sum.volumes, ...more.volumes],
      hostAliases: [...sum.hostAliases, ...more.hostAliases],
      tolerations: [...sum.tolerations, ...more.tolerations],
      initContainers: [...sum.initContainers, ...more.initContainers],
      sidecars: [...sum.sidecars, ...more.sidecars],
      env: [...sum.env, ...more.env],
      envFrom: [...sum.envFrom, ...more.envFrom],
      ports: [...sum.ports, ...more.ports],
      volumeMounts: [...sum.volumeMounts, ...more.volumeMounts],
      nodeSelector: { ...sum.nodeSelector, ...more.nodeSelector },
      limits: { ...sum.limits, ...more.limits },
      spec: { ...sum.spec, ...more.spec },
      container: { ...sum.container, ...more.container },
      cleared: [...sum.cleared, ...more.cleared],
    };
  }, NO_CHANGES);
}
