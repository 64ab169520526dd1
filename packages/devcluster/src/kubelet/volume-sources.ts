import { containersOf, type Pod, type Volume } from "../objects/pod.ts";
import type { PodSources } from "../runtime/runtime.ts";

/**
 * The volume of a pod that cannot be made because its source is missing, in the words of the kubelet's event. Volumes that no
 * container mounts are not made.
 */
export function missingVolumeSource(pod: Pod, sources: PodSources): string | undefined {
  const containers = [...(pod.spec.initContainers ?? []), ...containersOf(pod)];
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  for (const volume of pod.spec.volumes ?? []) {
    if (!mounted.has(volume.name)) continue;
    const missing = missingIn(volume, sources);
    if (missing !== undefined) return `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${missing}`;
  }
  return undefined;
}

function missingIn({ configMap, secret, projected }: Volume, sources: PodSources): string | undefined {
  const noConfigMap = (name: string, optional: boolean | undefined): string | undefined =>
    optional === true || sources.configMap(name) !== undefined
      ? undefined
      : `configmap ${JSON.stringify(name)} not found`;
  const noSecret = (name: string, optional: boolean | undefined): string | undefined =>
    optional === true || sources.secret(name) !== undefined ? undefined : `secret ${JSON.stringify(name)} not found`;
  if (configMap !== undefined) return noConfigMap(configMap.name ?? "", configMap.optional);
  if (secret !== undefined) return noSecret(secret.secretName ?? "", secret.optional);
  for (const source of projected?.sources ?? []) {
    const missing =
      source.configMap === undefined
        ? source.secret === undefined
          ? undefined
          : noSecret(source.secret.name ?? "", source.secret.optional)
        : noConfigMap(source.configMap.name ?? "", source.configMap.optional);
    if (missing !== undefined) return missing;
  }
  return undefined;
}
