import {
  KindlingError,
  SPARK_APP_ID_LABEL,
  type PersistentVolumeClaim,
  type SparkConf,
  type Step,
  type Volume,
  type VolumeMount,
} from "@kindling/core-spec";
import { DRIVER_VOLUMES, EXECUTOR_VOLUMES } from "../keys/prefixes.ts";
import { add, onDriver, onExecutor, withResources } from "../spark-pod.ts";
import { parseVolumes, USE_READ_WRITE_ONCE, type VolumeSource, type VolumeSpec } from "../volumes/volume-spec.ts";

/**
 * Volumes of every type that Spark's keys can describe, and the claims that are created on demand. Counterpart of
 * `MountVolumesFeatureStep`.
 */
export const mountVolumes: Step = {
  name: "mount-volumes",
  keys: [DRIVER_VOLUMES, EXECUTOR_VOLUMES, USE_READ_WRITE_ONCE],
  configureDriver(spec, { conf, appId, resourceNamePrefix }) {
    const made = construct(parseVolumes(conf, DRIVER_VOLUMES), conf, appId, (template, index) =>
      template.replaceAll("OnDemand", `${resourceNamePrefix}-driver-pvc-${index}`),
    );
    return withResources(
      onDriver(spec, (sparkPod) => add(sparkPod, made)),
      ...made.claims,
    );
  },
  configureExecutor(spec, { conf, appId, executorId, resourceNamePrefix }) {
    const made = construct(parseVolumes(conf, EXECUTOR_VOLUMES), conf, appId, (template, index) =>
      template
        .replaceAll("OnDemand", `${resourceNamePrefix}-exec-${executorId}-pvc-${index}`)
        .replaceAll("SPARK_EXECUTOR_ID", executorId),
    );
    const mounted = onExecutor(spec, (sparkPod) => add(sparkPod, made));
    return made.claims.length === 0
      ? mounted
      : { ...mounted, executorKubernetesResources: [...mounted.executorKubernetesResources, ...made.claims] };
  },
};

interface Constructed {
  readonly volumes: Volume[];
  readonly volumeMounts: VolumeMount[];
  readonly claims: PersistentVolumeClaim[];
}

function construct(
  specs: readonly VolumeSpec[],
  conf: SparkConf,
  appId: string,
  claimName: (template: string, index: number) => string,
): Constructed {
  refuseSharedMountPaths(specs);
  // Read even if no claim is made, so that an invalid value is reported as in Spark.
  const accessMode = conf.get(USE_READ_WRITE_ONCE) ? "ReadWriteOnce" : "ReadWriteOncePod";
  const made: Constructed = { volumes: [], volumeMounts: [], claims: [] };
  specs.forEach((spec, index) => {
    const { name, mountPath, readOnly, subPath, subPathExpr, source } = spec;
    const claim = source.type === "persistentVolumeClaim" ? claimName(source.claimName, index) : "";
    made.volumes.push({ name, ...volumeSource(source, readOnly, claim) });
    made.volumeMounts.push({
      name,
      mountPath,
      readOnly,
      ...(subPath !== "" && { subPath }),
      ...(subPathExpr !== "" && { subPathExpr }),
    });
    const dynamic = dynamicClaim(source, claim, accessMode, appId);
    if (dynamic !== undefined) made.claims.push(dynamic);
  });
  return made;
}

function refuseSharedMountPaths(specs: readonly VolumeSpec[]): void {
  const namesByPath = new Map<string, string[]>();
  for (const { mountPath, name } of specs) {
    const names = namesByPath.get(mountPath) ?? [];
    names.push(name);
    namesByPath.set(mountPath, names);
  }
  for (const [mountPath, names] of namesByPath) {
    if (names.length > 1) {
      throw new KindlingError("CONF_CONFLICT", `volumes ${names.join(", ")}: found duplicated mountPath ${mountPath}`);
    }
  }
}

function volumeSource(source: VolumeSource, readOnly: boolean, claimName: string): Omit<Volume, "name"> {
  switch (source.type) {
    case "hostPath":
      return { hostPath: { path: source.path, ...(source.hostPathType !== "" && { type: source.hostPathType }) } };
    case "nfs":
      return { nfs: { path: source.path, server: source.server } };
    case "emptyDir":
      return {
        emptyDir: {
          ...(source.medium !== "" && { medium: source.medium }),
          ...(source.sizeLimit !== undefined && { sizeLimit: source.sizeLimit }),
        },
      };
    case "persistentVolumeClaim":
      return { persistentVolumeClaim: { claimName, readOnly } };
  }
}

/** A claim is made when both its storage class and its size are given. */
function dynamicClaim(
  source: VolumeSource,
  name: string,
  accessMode: string,
  appId: string,
): PersistentVolumeClaim | undefined {
  if (source.type !== "persistentVolumeClaim" || source.storageClass === undefined || source.size === undefined) {
    return undefined;
  }
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      labels: { ...source.labels, [SPARK_APP_ID_LABEL]: appId },
      ...(Object.keys(source.annotations).length > 0 && { annotations: { ...source.annotations } }),
    },
    spec: {
      storageClassName: source.storageClass,
      accessModes: [accessMode],
      resources: { requests: { storage: source.size } },
    },
  };
}
