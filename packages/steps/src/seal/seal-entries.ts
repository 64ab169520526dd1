import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { ENV_AUTH_SECRET } from "../steps/basic/executor-env.ts";
import { SEAL, SEAL_UI } from "./seal-keys.ts";

/** Where the pods have the Secret. */
const MOUNT = "/mnt/secrets/spark-seal";
/** The entry that the driver reads as a file. */
export const SECRET_FILE = "secret";
/** The entry that executors get as an environment variable. */
export const SECRET_TEXT = "secret-text";
/** The certificate of driver and executors, and its key, in PEM. */
export const CERTIFICATE_FILE = "tls.crt";
export const KEY_FILE = "tls.key";
/** The same in a key store for Spark's web UI, and its password. */
export const KEY_STORE_FILE = "ui.p12";
export const KEY_STORE_PASSWORD = "ui-password";
/** The environment variable in which the driver has the password of the key store. */
const ENV_UI_PASSWORD = "KINDLING_SEAL_UI_PASSWORD";

const AES_ENTRIES = {
  "spark.network.crypto.enabled": "true",
  // Version 1 does not bind its derived keys to the handshake.
  "spark.network.crypto.authEngineVersion": "2",
};

export function isSealed(conf: SparkConf): boolean {
  return conf.get(SEAL);
}

/** Whether the pods of a sealed application need a certificate: Spark has TLS between driver and executors from 4.0 on. */
export function isSealedWithTls(conf: SparkConf): boolean {
  return isSealed(conf) && conf.version.has("rpc-tls");
}

/** Whether the web UI of an application needs a key store. */
export function isUiSealed(conf: SparkConf): boolean {
  return isSealed(conf) && conf.get(SEAL_UI);
}

/** @throws KindlingError `CONF_CONFLICT` if the web UI is to be sealed, and the application itself is not */
export function refuseUiSealedAlone(conf: SparkConf): void {
  if (isSealed(conf) || !conf.get(SEAL_UI)) return;
  throw new KindlingError("CONF_CONFLICT", `${SEAL_UI.key}=true has no effect without ${SEAL.key}=true`, {
    hint: `set ${SEAL.key}=true, too, or leave ${SEAL_UI.key} out`,
  });
}

/**
 * The configuration of a sealed application: a secret that driver and executors share, and TLS or, before Spark 4.0, AES.
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
    ...(isSealedWithTls(conf) ? tlsEntries(secretName) : AES_ENTRIES),
    ...(isUiSealed(conf) && uiEntries(secretName)),
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

/**
 * TLS with a certificate that driver and executors share, and that alone they trust (SSLFactory.java, initNettySslContexts).
 *
 * With a key in PEM no password is needed: Spark gives executors no password of a key store (SPARK-58776). Spark accepts PEM
 * files only together with `openSslEnabled` (TransportConf.java, sslRpcEnabledAndKeysAreValid), and uses the JVM's own TLS where
 * there is no OpenSSL. Spark asks clients for no certificate, so the secret proves who they are.
 */
function tlsEntries(secretName: string): Record<string, string> {
  return {
    "spark.ssl.rpc.enabled": "true",
    "spark.ssl.rpc.openSslEnabled": "true",
    "spark.ssl.rpc.protocol": "TLSv1.3",
    "spark.ssl.rpc.certChain": `${MOUNT}/${CERTIFICATE_FILE}`,
    "spark.ssl.rpc.privateKey": `${MOUNT}/${KEY_FILE}`,
    [`spark.kubernetes.executor.secrets.${secretName}`]: MOUNT,
  };
}

/** Spark gives the key store to Jetty, which takes no PEM files (SSLOptions.scala, createJettySslContextFactoryServer). */
function uiEntries(secretName: string): Record<string, string> {
  return {
    "spark.ssl.ui.enabled": "true",
    "spark.ssl.ui.keyStore": `${MOUNT}/${KEY_STORE_FILE}`,
    "spark.ssl.ui.keyStoreType": "PKCS12",
    "spark.ssl.ui.keyStorePassword": `\${env:${ENV_UI_PASSWORD}}`,
    [`spark.kubernetes.driver.secretKeyRef.${ENV_UI_PASSWORD}`]: `${secretName}:${KEY_STORE_PASSWORD}`,
  };
}
