import { confType, KindlingError, optionalConfKey, type ConfigMap, type ConfKey, type Step } from "@kindling/core-spec";
import { TEMPLATE_PATH } from "../objects/template-path.ts";
import { readFor } from "../read-for.ts";
import { add, onDriver, withResources, withSparkConf } from "../spark-pod.ts";

/** The entry of the ConfigMap with the template. */
export const POD_TEMPLATE_ENTRY = "podspec-configmap-key";
const FILE = "pod-spec-template.yml";
const MOUNT = "/opt/spark/pod-template";
/** The volume of the driver's pod that mounts the ConfigMap. */
export const POD_TEMPLATE_VOLUME = "pod-template-volume";

export const EXECUTOR_POD_TEMPLATE_FILE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.podTemplateFile",
  type: TEMPLATE_PATH,
  since: "3.0.0",
  readBy: ["submit", "driver", "executor"],
  doc: "A file with a pod template for executor pods, as YAML or JSON. The driver gets it from the submission in a ConfigMap.",
});

export const EXECUTOR_POD_TEMPLATE_CONTAINER: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.podTemplateContainerName",
  type: confType.text,
  since: "3.0.0",
  readBy: ["driver", "executor"],
  doc: "The container of this template that becomes the executor container; the first one if unset.",
});

/** Passes the executors' pod template on to the driver. Counterpart of `PodTemplateConfigMapStep`. */
export const podTemplateConfigMap: Step = {
  name: "pod-template-config-map",
  keys: [EXECUTOR_POD_TEMPLATE_FILE, EXECUTOR_POD_TEMPLATE_CONTAINER],
  overrides: [`driverSparkConf[${EXECUTOR_POD_TEMPLATE_FILE.key}]`],
  localFiles: (conf) => [conf.get(EXECUTOR_POD_TEMPLATE_FILE)].filter((path) => path !== undefined),
  configureDriver(spec, { conf, files, resourceNamePrefix }) {
    const path = conf.get(EXECUTOR_POD_TEMPLATE_FILE);
    if (path === undefined) return spec;
    const template = readFor(EXECUTOR_POD_TEMPLATE_FILE, () => files.readText(path));
    if (template === undefined) {
      throw new KindlingError("TEMPLATE_INVALID", `${EXECUTOR_POD_TEMPLATE_FILE.key}: ${path} is not a UTF-8 text`);
    }
    const configMap: ConfigMap = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `${resourceNamePrefix}-driver-podspec-conf-map` },
      immutable: true,
      data: { [POD_TEMPLATE_ENTRY]: template },
    };
    const mounted = onDriver(spec, (sparkPod) =>
      add(sparkPod, {
        volumes: [
          {
            name: POD_TEMPLATE_VOLUME,
            configMap: { name: configMap.metadata.name, items: [{ key: POD_TEMPLATE_ENTRY, path: FILE }] },
          },
        ],
        volumeMounts: [{ name: POD_TEMPLATE_VOLUME, mountPath: MOUNT }],
      }),
    );
    return withSparkConf(withResources(mounted, configMap), { [EXECUTOR_POD_TEMPLATE_FILE.key]: `${MOUNT}/${FILE}` });
  },
};
