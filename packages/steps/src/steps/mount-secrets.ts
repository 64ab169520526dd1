import type { ConfPrefix, SparkConf, Step } from "@kindling/core-spec";
import { DRIVER_SECRETS, EXECUTOR_SECRETS } from "../keys/prefixes.ts";
import { add, onDriver, onExecutor, type SparkPod } from "../spark-pod.ts";

/** Mounts Secrets of the namespace. Counterpart of `MountSecretsFeatureStep`. */
export const mountSecrets: Step = {
  name: "mount-secrets",
  keys: [DRIVER_SECRETS, EXECUTOR_SECRETS],
  configureDriver: (spec, { conf }) => onDriver(spec, (sparkPod) => withSecrets(sparkPod, conf, DRIVER_SECRETS)),
  configureExecutor: (spec, { conf }) => onExecutor(spec, (sparkPod) => withSecrets(sparkPod, conf, EXECUTOR_SECRETS)),
};

function withSecrets(sparkPod: SparkPod, conf: SparkConf, prefix: ConfPrefix): SparkPod {
  const mounts = Object.entries(conf.withPrefix(prefix));
  return add(sparkPod, {
    volumes: mounts.map(([secret]) => ({ name: `${secret}-volume`, secret: { secretName: secret } })),
    volumeMounts: mounts.map(([secret, mountPath]) => ({ name: `${secret}-volume`, mountPath })),
  });
}
