import type { Step, Submission } from "@kindling/core-spec";
import { CONFIG_MAP_MAX_SIZE, confDirFiles } from "../objects/conf-dir-files.ts";
import { DRIVER_CONF_VOLUME, driverConfigMapName, PROPERTIES_FILE } from "../objects/driver-objects.ts";
import { add, onDriver } from "../spark-pod.ts";

const MOUNT = "/opt/spark/conf";

/**
 * Mounts the driver's configuration. Spark does this when all steps are done (`Client.run`), so here it is the last of the
 * built-in steps. Steps from outside run after it. Of several variables with the same name the last one counts, so a
 * SPARK_CONF_DIR of such a step wins. `driverObjects` makes the ConfigMap, because it also contains what those steps add.
 */
export const configuration: Step = {
  name: "configuration",
  keys: [CONFIG_MAP_MAX_SIZE],
  configureDriver: (spec, submission) =>
    onDriver(spec, (sparkPod) =>
      add(sparkPod, {
        env: [{ name: "SPARK_CONF_DIR", value: MOUNT }],
        volumeMounts: [{ name: DRIVER_CONF_VOLUME, mountPath: MOUNT }],
        volumes: [
          {
            name: DRIVER_CONF_VOLUME,
            configMap: {
              name: driverConfigMapName(submission),
              items: fileNames(submission).map((file) => ({ key: file, path: file, mode: 0o644 })),
            },
          },
        ],
      }),
    ),
};

/** The notice about files that are left out is given where the ConfigMap is made. */
function fileNames(submission: Submission): string[] {
  return [...Object.keys(confDirFiles({ ...submission, notice: () => {} })), PROPERTIES_FILE].sort();
}
