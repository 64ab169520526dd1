import type { EnvVar, SparkConf, Volume, VolumeMount } from "@kindling/core-spec";
import { CA_CERTIFICATES, CA_CONFIG_MAP, CA_TRUSTSTORE, CA_TRUSTSTORE_PASSWORD } from "./keys.ts";

const VOLUME = "corporate-ca";
const FOLDER = "/etc/ssl/corporate";

// OpenSSL (and with it Python's ssl), Python's requests, curl, and the AWS clients. Each variable replaces the certificates
// that these trust by default.
const BUNDLE_VARIABLES = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE"];

/** What a pod needs to trust the company's certificates. */
export interface Certificates {
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
  readonly env: readonly EnvVar[];
}

/** Undefined if no ConfigMap is named. */
export function certificates(conf: SparkConf): Certificates | undefined {
  const name = conf.get(CA_CONFIG_MAP);
  if (name === undefined) return undefined;
  const bundle = `${FOLDER}/${conf.get(CA_CERTIFICATES)}`;
  return {
    volumes: [{ name: VOLUME, configMap: { name } }],
    volumeMounts: [{ name: VOLUME, mountPath: FOLDER, readOnly: true }],
    env: BUNDLE_VARIABLES.map((variable) => ({ name: variable, value: bundle })),
  };
}

/** Options that make a JVM trust them. */
export function truststoreOptions(conf: SparkConf): string[] {
  const entry = conf.get(CA_TRUSTSTORE);
  if (entry === undefined || conf.get(CA_CONFIG_MAP) === undefined) return [];
  const password = conf.get(CA_TRUSTSTORE_PASSWORD);
  return [
    `-Djavax.net.ssl.trustStore=${FOLDER}/${entry}`,
    `-Djavax.net.ssl.trustStoreType=${/\.(p12|pfx)$/i.test(entry) ? "PKCS12" : "JKS"}`,
    ...(password === "" ? [] : [`-Djavax.net.ssl.trustStorePassword=${password}`]),
  ];
}
