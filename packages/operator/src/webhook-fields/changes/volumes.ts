import { quotedName, type PodChanges, type VolumeMount } from "@kindling/core-spec";
import { LOCAL_DIR_PREFIX } from "../../translate/local-dir-volumes.ts";
import type { RoleFields } from "../role-fields.ts";

/**
 * The mounts of the role, and the volumes of the application that they need. A mount without its volume is left out.
 * Spark itself mounts scratch volumes: it gets them in its configuration.
 *
 * A volume that only the role's sidecars or init containers mount is added too, unless it is there already. Stock leaves
 * it out, and the API server refuses the pod.
 */
export function volumes(given: RoleFields): Partial<PodChanges> {
  const { application, fields } = given;
  // Of two volumes with one name the last counts.
  const known = new Map((application.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const mounts = (fields.volumeMounts ?? []).filter(({ name }) => !isScratch(name) && known.has(name));
  const used = new Set([...mounts.map(({ name }) => name), ...mountedByOthers(given)]);
  return { volumes: [...used].flatMap((name) => known.get(name) ?? []), volumeMounts: mounts };
}

/** A notice for each mount that is left out because the application has no such volume; stock gives none. */
export function lostMounts({ application, role, fields }: RoleFields): string[] {
  const known = new Set((application.spec.volumes ?? []).map(({ name }) => name));
  return (fields.volumeMounts ?? [])
    .filter(({ name }) => !isScratch(name) && !known.has(name))
    .map(({ name, mountPath }: VolumeMount) => {
      const mount = `spec.${role}.volumeMounts: nothing is mounted at ${quotedName(mountPath)}`;
      return `${mount}, because spec.volumes has no ${quotedName(name)}`;
    });
}

/** The volumes that the other containers mount, and that neither Spark nor the template adds. */
function mountedByOthers({ application, role, fields }: RoleFields): string[] {
  const { sparkConf = {} } = application.spec;
  const { template, initContainers = [], sidecars = [], secrets = [], configMaps = [] } = fields;
  const prefix = `spark.kubernetes.${role}.volumes.`;
  const brought = new Set([
    ...(template?.spec?.volumes ?? []).map(({ name }) => name),
    ...secrets.map(({ name }) => `${name}-volume`),
    ...configMaps.map(({ name }) => `${name}-vol`),
    ...Object.keys(sparkConf)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length).split(".")[1] ?? ""),
  ]);
  return [...initContainers, ...sidecars]
    .flatMap((container) => (container.volumeMounts ?? []).map(({ name }) => name))
    .filter((name) => !isScratch(name) && !name.startsWith("spark-conf-volume") && !brought.has(name));
}

function isScratch(name: string): boolean {
  return name.startsWith(LOCAL_DIR_PREFIX);
}
