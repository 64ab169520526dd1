import type { PodChanges } from "@kindling/core-spec";

/** The changes of a step that does nothing. */
export const NO_CHANGES: PodChanges = {
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
export function combinedChanges(all: readonly Partial<PodChanges>[]): PodChanges {
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
