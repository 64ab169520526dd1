import { posix } from "node:path";
import { entriesOf } from "./conf-entries.ts";
import type { Role } from "./roles.ts";
import type { ConfEntry } from "./translation.ts";

/**
 * Kinds of secrets whose file is named by an environment variable: the variable, and the file's name. This is a Map and
 * no plain object, because a kind may be any text, such as `constructor`.
 */
const FILES: ReadonlyMap<string, readonly [variable: string, file: string]> = new Map([
  ["GCPServiceAccount", ["GOOGLE_APPLICATION_CREDENTIALS", "key.json"]],
  ["HadoopDelegationToken", ["HADOOP_TOKEN_FILE_LOCATION", "hadoop.token"]],
]);

/** `envVars` of a role. */
export function environment({ envPrefix, spec }: Role): readonly ConfEntry[] {
  return entriesOf(envPrefix, spec.envVars);
}

/** Mounted secrets of a role (kubeflow/spark-operator v2.5.2, `driverSecretOption`, `executorSecretOption`). */
export function secrets({ name: role, envPrefix, spec }: Role): readonly ConfEntry[] {
  return (spec.secrets ?? []).flatMap(({ name, path, secretType }) => {
    const file = FILES.get(secretType);
    const mount: ConfEntry = [`spark.kubernetes.${role}.secrets.${name}`, path];
    return file === undefined ? [mount] : [mount, [`${envPrefix}${file[0]}`, posix.join(path, file[1])]];
  });
}
