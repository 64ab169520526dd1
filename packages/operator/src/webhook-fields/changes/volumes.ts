import { quotedName, type PodChanges, type VolumeMount } from "@kindling/core-spec";
import { LOCAL_DIR_PREFIX } from "../../translate/local-dir-volumes.ts";
import type { RoleFields } from "../role-fields.ts";

/**
 * What the role mounts, and of the application's volumes those that this takes. A mount without its volume is left out.
 * Scratch volumes are Spark's to mount: it hears of them through its configuration.
 *
 * A volume that only the role's sidecars or init containers mount is taken as well, unless it is there already. Stock
 * leaves it out, and its pod is refused.
 */
export function volumes(given: RoleFields): Partial<PodChanges> {
  const { application, fields } = given;
  // Of two volumes with one name the last counts.
  const known = new Map((application.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const mounts = (fields.volumeMounts ?? []).filter(({ name }) => !isScratch(name) && known.has(name));
  const used = new Set([...mounts.map(({ name }) => name), ...mountedByOthers(given)]);
  return { volumes: [...used].flatMap((name) => known.get(name) ?? []), volumeMounts: mounts };
}

/** What is said of each mount that is left out because the application has no such volume; stock says nothing. */
export function lostMounts({ application, role, fields }: RoleFields): string[] {
  const known = new Set((application.spec.volumes ?? []).map(({ name }) => name));
  return (fields.volumeMounts ?? [])
    .filter(({ name }) => !isScratch(name) && !known.has(name))
    .map(({ name, mountPath }: VolumeMount) => {
      const mount = `spec.${role}.volumeMounts: nothing is mounted at ${quotedName(mountPath)}`;
      return `${mount}, because spec.volumes has no ${quotedName(name)}`;
    });
}

/** What the containers beside Spark's mount, and neither Spark nor the template brings. */
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
