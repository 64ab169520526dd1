import { KindlingError, quotedName, type Volume, type VolumeMount } from "@kindling/core-spec";
import { entry, entryOfText } from "./conf-entries.ts";
import type { Role } from "./roles.ts";
import type { ConfEntry } from "./translation.ts";

/** Volumes whose names begin with this are for Spark's scratch data. They are set through Spark's own keys. */
export const LOCAL_DIR_PREFIX = "spark-local-dir-";

/**
 * Scratch volumes of a role (kubeflow/spark-operator v2.5.2, `driverVolumeMountsOption`, `executorVolumeMountsOption`).
 * Only path, subPath and readOnly of a mount are passed on.
 *
 * @throws KindlingError `CONF_INVALID` for a mount without its volume, and for a source that Spark has no key for
 */
export function localDirVolumes(volumes: readonly Volume[], { name: role, spec }: Role): readonly ConfEntry[] {
  const byName = new Map(volumes.map((volume) => [volume.name, volume]));
  return (spec.volumeMounts ?? [])
    .filter(({ name }) => name.startsWith(LOCAL_DIR_PREFIX))
    .flatMap((mount) => mountEntries(`spark.kubernetes.${role}.volumes.`, mount, byName.get(mount.name)));
}

function mountEntries(prefix: string, mount: VolumeMount, volume: Volume | undefined): readonly ConfEntry[] {
  if (volume === undefined)
    throw new KindlingError("CONF_INVALID", `volume ${mount.name} not found`, {
      hint: `add ${quotedName(mount.name)} to spec.volumes, or take its volumeMount away`,
    });
  const [type, options] = source(volume);
  const key = `${prefix}${type}.${mount.name}`;
  return [
    ...entryOfText(`${key}.mount.path`, mount.mountPath),
    ...entryOfText(`${key}.mount.subPath`, mount.subPath),
    ...whenTrue(`${key}.mount.readOnly`, mount.readOnly),
    ...options.map(([option, value]): ConfEntry => [`${key}.options.${option}`, value]),
  ];
}

function source(volume: Volume): readonly [type: string, options: readonly ConfEntry[]] {
  const { emptyDir, hostPath, nfs, persistentVolumeClaim } = volume;
  if (emptyDir !== undefined)
    return ["emptyDir", [...entry("sizeLimit", emptyDir.sizeLimit), ...entryOfText("medium", emptyDir.medium)]];
  if (hostPath !== undefined) return ["hostPath", [["path", hostPath.path], ...entry("type", hostPath.type)]];
  if (nfs !== undefined)
    return ["nfs", [["path", nfs.path], ["server", nfs.server], ...whenTrue("readOnly", nfs.readOnly)]];
  if (persistentVolumeClaim !== undefined) {
    const { claimName, readOnly } = persistentVolumeClaim;
    return ["persistentVolumeClaim", [["claimName", claimName], ...whenTrue("readOnly", readOnly)]];
  }
  throw new KindlingError("CONF_INVALID", "unsupported volume type", {
    hint: `${quotedName(volume.name)} has to be an emptyDir, a hostPath, an nfs or a persistentVolumeClaim`,
  });
}

function whenTrue(key: string, value: boolean | undefined): readonly ConfEntry[] {
  return value === true ? [[key, "true"]] : [];
}
