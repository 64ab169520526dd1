import type { Step, Submission } from "@kindling/core-spec";
import { CONFIG_MAP_MAX_SIZE, confDirFiles } from "../objects/conf-dir-files.ts";
import { DRIVER_CONF_VOLUME, driverConfigMapName, PROPERTIES_FILE } from "../objects/driver-objects.ts";
import { add, onDriver } from "../spark-pod.ts";

const MOUNT = "/opt/spark/conf";

/**
 * Mounts the driver's configuration, which Spark does when all steps are done (`Client.run`): here it is the last of the
 * built-in ones. Steps from outside run behind it. Of several variables of one name the last one counts, so a
 * SPARK_CONF_DIR of theirs wins. The ConfigMap is made by `driverObjects`, since it holds what those steps add, too.
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

/** Which files are left out is told where the ConfigMap is made. */
function fileNames(submission: Submission): string[] {
  return [...Object.keys(confDirFiles({ ...submission, notice: () => {} })), PROPERTIES_FILE].sort();
}
