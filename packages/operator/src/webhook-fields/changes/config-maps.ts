import { createHash } from "node:crypto";
import { DNS_LABEL_MAX_LENGTH, isDnsLabel, type PodChanges } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import type { RoleFields } from "../role-fields.ts";

/** A ConfigMap that Spark finds by an environment variable. */
interface ConfigDirectory {
  readonly configMap: string;
  readonly volume: string;
  readonly path: string;
  readonly variable: string;
}

/** The directories of configuration files that both roles get. */
export function configDirectories({ spec }: SparkApplication): ConfigDirectory[] {
  const { hadoopConfigMap: hadoop, sparkConfigMap: spark } = spec;
  return [
    ...(hadoop === undefined
      ? []
      : [
          {
            configMap: hadoop,
            volume: "hadoop-configmap-volume",
            path: "/etc/hadoop/conf",
            variable: "HADOOP_CONF_DIR",
          },
        ]),
    ...(spark === undefined
      ? []
      : [{ configMap: spark, volume: "spark-configmap-volume", path: "/etc/spark/conf", variable: "SPARK_CONF_DIR" }]),
  ];
}

export function configMaps({ application, fields }: RoleFields): Partial<PodChanges> {
  return mountedConfigMaps([
    ...configDirectories(application),
    ...(fields.configMaps ?? []).map(({ name, path }) => ({ configMap: name, volume: volumeName(name), path })),
  ]);
}

/** ConfigMaps as read-only volumes, with their mounts. */
export function mountedConfigMaps(
  maps: readonly Pick<ConfigDirectory, "configMap" | "volume" | "path">[],
): Pick<PodChanges, "volumes" | "volumeMounts"> {
  return {
    volumes: maps.map(({ configMap, volume }) => ({ name: volume, configMap: { name: configMap } })),
    volumeMounts: maps.map(({ volume, path }) => ({ name: volume, readOnly: true, mountPath: path })),
  };
}

const SUFFIX = "-vol";

/**
 * The name and a suffix, cut to the length of a DNS label, as in v2.5.2. If the result is no DNS label, for example
 * because of a dot, v2.5.2 makes a pod that the API server refuses; later commits add a hash, as is done here.
 */
function volumeName(configMap: string): string {
  const name = `${configMap}${SUFFIX}`.slice(0, DNS_LABEL_MAX_LENGTH);
  if (isDnsLabel(name)) return name;
  const hash = createHash("sha256").update(configMap).digest("hex").slice(0, 8);
  const suffix = `-${hash}${SUFFIX}`;
  const prefix = configMap.replaceAll(".", "-").slice(0, DNS_LABEL_MAX_LENGTH - suffix.length);
  return `${prefix.replace(/-+$/, "")}${suffix}`;
}
