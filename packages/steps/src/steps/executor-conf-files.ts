import { confKey, confType, type ConfKey, type Step } from "@kindling/core-spec";
import { add, onExecutor } from "../spark-pod.ts";

const VOLUME = "spark-conf-volume-exec";

export const DISABLE_CONFIG_MAP: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.executor.disableConfigMap",
  type: confType.boolean,
  default: "false",
  since: "3.2.0",
  readBy: ["driver", "executor"],
  doc: "Whether executors do not get the ConfigMap with configuration files.",
});

/**
 * Mounts the configuration files that the driver passes on to its executors. Counterpart of the ConfigMap part of
 * `BasicExecutorFeatureStep`.
 */
export const executorConfFiles: Step = {
  name: "executor-conf-files",
  keys: [DISABLE_CONFIG_MAP],
  configureExecutor(spec, { conf, confFiles }) {
    if (conf.get(DISABLE_CONFIG_MAP)) return spec;
    const items = [...confFiles.names].sort().map((name) => ({ key: name, path: name, mode: 0o644 }));
    return onExecutor(spec, (sparkPod) =>
      add(sparkPod, {
        volumes: [{ name: VOLUME, configMap: { name: confFiles.configMapName, ...(items.length > 0 && { items }) } }],
        volumeMounts: [{ name: VOLUME, mountPath: "/opt/spark/conf" }],
      }),
    );
  },
};
