import { KindlingError, type ConfPrefix, type EnvVar, type SparkConf, type Step } from "@kindling/core-spec";
import { DRIVER_SECRET_KEY_REF, EXECUTOR_SECRET_KEY_REF } from "../keys/prefixes.ts";
import { add, onDriver, onExecutor } from "../spark-pod.ts";

/** Environment variables from Secrets of the namespace. Counterpart of `EnvSecretsFeatureStep`. */
export const envSecrets: Step = {
  name: "env-secrets",
  keys: [DRIVER_SECRET_KEY_REF, EXECUTOR_SECRET_KEY_REF],
  configureDriver: (spec, { conf }) =>
    onDriver(spec, (sparkPod) => add(sparkPod, { env: secretEnv(conf, DRIVER_SECRET_KEY_REF) })),
  configureExecutor: (spec, { conf }) =>
    onExecutor(spec, (sparkPod) => add(sparkPod, { env: secretEnv(conf, EXECUTOR_SECRET_KEY_REF) })),
};

export function secretEnv(conf: SparkConf, prefix: ConfPrefix): EnvVar[] {
  return Object.entries(conf.withPrefix(prefix)).map(([variable, reference]) => {
    const [name, key, ...rest] = javaSplit(reference);
    if (name === undefined || key === undefined || rest.length > 0) {
      throw new KindlingError(
        "CONF_INVALID",
        `${prefix.prefix}${variable}: a secret key reference must be in the form name:key`,
      );
    }
    return { name: variable, valueFrom: { secretKeyRef: { key, name } } };
  });
}

/** `String.split(":")` of Java, which drops empty parts at the end. */
function javaSplit(text: string): string[] {
  const parts = text.split(":");
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts;
}
