import {
  confType,
  KindlingError,
  optionalConfKey,
  type ConfigMap,
  type ConfKey,
  type KubernetesDriverSpec,
  type Secret,
  type SparkConf,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { readFor } from "../read-for.ts";
import { add, onDriver, withResources, withSparkConf, type PodAdditions } from "../spark-pod.ts";
import { baseName, schemeOf } from "../uris.ts";

const { text } = confType;

function kerberosKey(key: string, doc: string, alternatives: readonly string[] = []): ConfKey<string | undefined> {
  return optionalConfKey({ key, type: text, since: "3.0.0", readBy: ["submit"], alternatives, doc });
}

export const PRINCIPAL: ConfKey<string | undefined> = kerberosKey(
  "spark.kerberos.principal",
  "The Kerberos principal that the driver logs in as, with spark.kerberos.keytab.",
  ["spark.yarn.principal"],
);
export const KEYTAB: ConfKey<string | undefined> = kerberosKey(
  "spark.kerberos.keytab",
  "The keytab of the principal. The driver gets a file on the submitter's disk in a Secret; local: means a file in the image.",
  ["spark.yarn.keytab"],
);
export const KRB5_PATH: ConfKey<string | undefined> = kerberosKey(
  "spark.kubernetes.kerberos.krb5.path",
  "A krb5.conf on the submitter's disk, mounted at /etc/krb5.conf. Cannot be combined with spark.kubernetes.kerberos.krb5.configMapName.",
);
export const KRB5_CONFIG_MAP: ConfKey<string | undefined> = kerberosKey(
  "spark.kubernetes.kerberos.krb5.configMapName",
  "A ConfigMap of the namespace whose entry krb5.conf is mounted at /etc/krb5.conf.",
);
export const TOKEN_SECRET_NAME: ConfKey<string | undefined> = kerberosKey(
  "spark.kubernetes.kerberos.tokenSecret.name",
  "A Secret of the namespace that holds Hadoop delegation tokens.",
);
export const TOKEN_SECRET_ITEM_KEY: ConfKey<string | undefined> = kerberosKey(
  "spark.kubernetes.kerberos.tokenSecret.itemKey",
  "The entry of that Secret that holds the tokens.",
);

/**
 * What a driver needs for Kerberos: krb5.conf, a keytab, or delegation tokens from a Secret. Counterpart of
 * `KerberosConfDriverFeatureStep`, which also fetches tokens with the user's own ticket; here they are fetched before.
 */
export const kerberosConf: Step = {
  name: "kerberos-conf",
  keys: [PRINCIPAL, KEYTAB, KRB5_PATH, KRB5_CONFIG_MAP, TOKEN_SECRET_NAME, TOKEN_SECRET_ITEM_KEY],
  overrides: [`driverSparkConf[${KEYTAB.key}]`],
  localFiles(conf) {
    const keytab = conf.get(KEYTAB);
    return [conf.get(KRB5_PATH), keytab !== undefined && isInImage(keytab) ? undefined : keytab].filter(
      (path) => path !== undefined,
    );
  },
  configureDriver(spec, submission) {
    const { conf } = submission;
    if (conf.has(KRB5_PATH) && conf.has(KRB5_CONFIG_MAP)) {
      throw new KindlingError("CONF_CONFLICT", `${KRB5_PATH.key} and ${KRB5_CONFIG_MAP.key} must not both be set`);
    }
    requireBoth(submission, PRINCIPAL, KEYTAB);
    requireBoth(submission, TOKEN_SECRET_NAME, TOKEN_SECRET_ITEM_KEY);

    const withKrb5 = mountKrb5(spec, submission);
    const keytab = conf.get(KEYTAB);
    if (keytab !== undefined && !isInImage(keytab)) return mountKeytab(withKrb5, submission, keytab);
    const secret = conf.get(TOKEN_SECRET_NAME);
    const item = conf.get(TOKEN_SECRET_ITEM_KEY);
    if (secret !== undefined && item !== undefined) return mountTokens(withKrb5, secret, item);
    return keytab === undefined ? handTokens(withKrb5, submission) : withKrb5;
  },
};

function isInImage(keytab: string): boolean {
  return schemeOf(keytab) === "local";
}

function requireBoth({ conf }: Submission, ...keys: readonly [ConfKey<unknown>, ConfKey<unknown>]): void {
  const [given, missing] = conf.has(keys[0]) ? keys : [keys[1], keys[0]];
  if (conf.has(given) && !conf.has(missing)) {
    throw new KindlingError("CONF_MISSING", `${missing.key} must be set, because ${given.key} is`);
  }
}

/** Where Java looks for krb5.conf. */
export const KRB5_CONF: string = "/etc/krb5.conf";

/** The volume and the mount of krb5.conf; `undefined` if none is configured. */
export function krb5Mount(conf: SparkConf, resourceNamePrefix: string): PodAdditions | undefined {
  const path = conf.get(KRB5_PATH);
  const existing = conf.get(KRB5_CONFIG_MAP);
  if (path === undefined && existing === undefined) return undefined;
  const file = path === undefined ? undefined : baseName(path);
  const name = existing ?? krb5ConfigMap(resourceNamePrefix);
  return {
    volumes: [
      { name: "krb5-file", configMap: { name, ...(file !== undefined && { items: [{ key: file, path: file }] }) } },
    ],
    volumeMounts: [{ name: "krb5-file", mountPath: KRB5_CONF, subPath: "krb5.conf" }],
  };
}

function krb5ConfigMap(resourceNamePrefix: string): string {
  return `${resourceNamePrefix}-krb5-file`;
}

function mountKrb5(spec: KubernetesDriverSpec, { conf, files, resourceNamePrefix }: Submission): KubernetesDriverSpec {
  const mount = krb5Mount(conf, resourceNamePrefix);
  if (mount === undefined) return spec;
  const mounted = onDriver(spec, (sparkPod) => add(sparkPod, mount));
  const path = conf.get(KRB5_PATH);
  if (path === undefined) return mounted;
  const content = readFor(KRB5_PATH, () => files.readText(path));
  if (content === undefined)
    throw new KindlingError("FILE_UNPARSABLE", `${KRB5_PATH.key}: ${path} is not a UTF-8 text`);
  const configMap: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: krb5ConfigMap(resourceNamePrefix) },
    immutable: true,
    data: { [baseName(path)]: content },
  };
  return withResources(mounted, configMap);
}

function mountKeytab(
  spec: KubernetesDriverSpec,
  { files, resourceNamePrefix }: Submission,
  keytab: string,
): KubernetesDriverSpec {
  const file = baseName(keytab);
  const mount = "/mnt/secrets/kerberos-keytab";
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${resourceNamePrefix}-kerberos-keytab` },
    immutable: true,
    data: { [file]: Buffer.from(files.readBytes(keytab)).toString("base64") },
  };
  const mounted = onDriver(spec, (sparkPod) =>
    add(sparkPod, {
      volumes: [{ name: "kerberos-keytab", secret: { secretName: secret.metadata.name } }],
      volumeMounts: [{ name: "kerberos-keytab", mountPath: mount }],
    }),
  );
  return withSparkConf(withResources(mounted, secret), { [KEYTAB.key]: `${mount}/${file}` });
}

const TOKENS_ENTRY = "hadoop-tokens";

/** The tokens that were fetched, if there are any, in a Secret of the submission. */
function handTokens(
  spec: KubernetesDriverSpec,
  { delegationTokens, resourceNamePrefix }: Submission,
): KubernetesDriverSpec {
  if (delegationTokens === undefined) return spec;
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${resourceNamePrefix}-delegation-tokens` },
    immutable: true,
    data: { [TOKENS_ENTRY]: delegationTokens },
  };
  return withResources(mountTokens(spec, secret.metadata.name, TOKENS_ENTRY), secret);
}

function mountTokens(spec: KubernetesDriverSpec, secretName: string, item: string): KubernetesDriverSpec {
  const mount = "/mnt/secrets/hadoop-credentials";
  return onDriver(spec, (sparkPod) =>
    add(sparkPod, {
      volumes: [{ name: "hadoop-secret", secret: { secretName } }],
      volumeMounts: [{ name: "hadoop-secret", mountPath: mount }],
      env: [{ name: "HADOOP_TOKEN_FILE_LOCATION", value: `${mount}/${item}` }],
    }),
  );
}
