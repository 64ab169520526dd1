import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { SEAL } from "./seal-keys.ts";

/** Where the driver's pod has the Secret. */
const MOUNT = "/mnt/secrets/spark-seal";
/** The entry that the driver reads as a file. */
export const SECRET_FILE = "secret";
/** The entry that executors get as an environment variable. */
export const SECRET_TEXT = "secret-text";
/** The environment variable in which executors expect the secret (Spark's SecurityManager). */
const ENV_AUTH_SECRET = "_SPARK_AUTH_SECRET";

export function isSealed(conf: SparkConf): boolean {
  return conf.get(SEAL);
}

/**
 * The configuration of a sealed application: AES with a secret that driver and executors share.
 *
 * Spark makes such a secret itself, but then every executor's pod holds it in clear. A file in the driver and a reference to a
 * Secret in executors is the only way that keeps it out of pods: files in executors do not work, because the executor's
 * SecurityManager reads them only with `spark.master`, which it does not have (3.5.9 and 4.3.0).
 *
 * @throws KindlingError `CONF_CONFLICT` if the configuration itself says something else
 */
export function sealEntries(conf: SparkConf, secretName: string): Readonly<Record<string, string>> {
  const entries: Record<string, string> = {
    "spark.authenticate": "true",
    "spark.authenticate.secret.file": `${MOUNT}/${SECRET_FILE}`,
    "spark.network.crypto.enabled": "true",
    // Version 1 does not bind its derived keys to the handshake.
    "spark.network.crypto.authEngineVersion": "2",
    ...(conf.version.has("network-crypto-gcm") && { "spark.network.crypto.cipher": "AES/GCM/NoPadding" }),
    [`spark.kubernetes.driver.secrets.${secretName}`]: MOUNT,
    [`spark.kubernetes.executor.secretKeyRef.${ENV_AUTH_SECRET}`]: `${secretName}:${SECRET_TEXT}`,
  };
  for (const [key, value] of Object.entries(entries)) {
    const given = conf.raw(key);
    if (given === undefined || given === value) continue;
    throw new KindlingError("CONF_CONFLICT", `${key}=${given} cannot be combined with ${SEAL.key}=true`, {
      hint: `leave ${key} out: a sealed application gets its own`,
    });
  }
  for (const key of ["spark.authenticate.secret", "spark.authenticate.secret.driver.file"]) {
    if (conf.raw(key) !== undefined) {
      throw new KindlingError("CONF_CONFLICT", `${key} cannot be combined with ${SEAL.key}=true`, {
        hint: `leave ${key} out: a sealed application gets a secret of its own`,
      });
    }
  }
  return entries;
}
