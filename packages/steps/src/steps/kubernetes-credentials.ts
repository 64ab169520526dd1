import {
  confType,
  KindlingError,
  optionalConfKey,
  type ConfKey,
  type KubernetesDriverSpec,
  type Pod,
  type Secret,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { add, onDriver, onExecutor, withResources, withSparkConf, withSpec } from "../spark-pod.ts";

const { text } = confType;
const VOLUME = "kubernetes-credentials";
const MOUNT = "/mnt/secrets/spark-kubernetes-credentials";

export const DRIVER_SERVICE_ACCOUNT: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.authenticate.driver.serviceAccountName",
  type: text,
  since: "2.3.0",
  readBy: ["submit", "executor"],
  doc: "The service account of the driver pod. It needs the right to manage executor pods. Executors get it too, if they have none of their own.",
});

export const EXECUTOR_SERVICE_ACCOUNT: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.authenticate.executor.serviceAccountName",
  type: text,
  since: "3.1.0",
  readBy: ["executor"],
  doc: "The service account of executor pods.",
});

interface Credential {
  /** The name of the entry in the Secret, and of the file in the driver. */
  readonly entry: string;
  /** The submitter's credential: a value, or the path of a file. */
  readonly given: ConfKey<string | undefined>;
  /** A path inside the driver; it wins over the mounted one. */
  readonly mounted: ConfKey<string | undefined>;
  readonly description: string;
}

function credential(entry: string, suffix: string, mountedSuffix: string, description: string): Credential {
  return {
    entry,
    description,
    given: optionalConfKey({
      key: `spark.kubernetes.authenticate.driver.${suffix}`,
      type: text,
      since: "2.3.0",
      readBy: ["submit"],
      secret: suffix === "oauthToken",
      doc: `The ${description} that the driver uses for the API server${suffix === "oauthToken" ? "" : ", as a file on the submitter's disk"}. The driver gets it in a Secret.`,
    }),
    mounted: optionalConfKey({
      key: `spark.kubernetes.authenticate.driver.mounted.${mountedSuffix}`,
      type: text,
      since: "2.3.0",
      readBy: ["submit", "driver"],
      doc: `The path of the ${description} inside the driver container, which the driver uses for the API server.`,
    }),
  };
}

const CLIENT_KEY = credential("client-key", "clientKeyFile", "clientKeyFile", "client key");
const CLIENT_CERT = credential("client-cert", "clientCertFile", "clientCertFile", "client certificate");
const CA_CERT = credential("ca-cert", "caCertFile", "caCertFile", "CA certificate");
const OAUTH_TOKEN = credential("oauth-token", "oauthToken", "oauthTokenFile", "OAuth token");
const CREDENTIALS = [CLIENT_KEY, CLIENT_CERT, CA_CERT, OAUTH_TOKEN];
const CREDENTIAL_FILES = [CLIENT_KEY, CLIENT_CERT, CA_CERT].map(({ given }) => given);

/**
 * The credentials of driver and executors for the API server: a service account, or for the driver the submitter's
 * credentials in a Secret. Counterpart of `DriverKubernetesCredentialsFeatureStep` and
 * `ExecutorKubernetesCredentialsFeatureStep`. With its own credentials the driver gets no service account, as in Spark;
 * tokens in the configuration are removed before it goes into the driver's ConfigMap.
 */
export const kubernetesCredentials: Step = {
  name: "kubernetes-credentials",
  keys: [
    DRIVER_SERVICE_ACCOUNT,
    EXECUTOR_SERVICE_ACCOUNT,
    ...CREDENTIALS.flatMap(({ given, mounted }) => [given, mounted]),
  ],
  overrides: [
    "driverPod.spec.serviceAccount",
    "driverPod.spec.serviceAccountName",
    "executorPod.spec.serviceAccountName",
    ...CREDENTIALS.map(({ mounted }) => `driverSparkConf[${mounted.key}]`),
    "driverSparkConf[*oauthToken]",
  ],
  localFiles: (conf) => CREDENTIAL_FILES.flatMap(({ key }) => conf.raw(key) ?? []),
  configureDriver(spec, submission) {
    const data = secretData(submission);
    const withConf = withSparkConf(spec, { ...redactedTokens(submission), ...mountedPaths(submission, data) });
    return Object.keys(data).length > 0
      ? mountSecret(withConf, submission, data)
      : withServiceAccount(withConf, submission);
  },
  configureExecutor(spec, { conf }) {
    // Spark checks only the deprecated field, so it overrides a template that sets only serviceAccountName.
    if (spec.executorPod.spec?.serviceAccount !== undefined) return spec;
    const account = conf.get(EXECUTOR_SERVICE_ACCOUNT) ?? conf.get(DRIVER_SERVICE_ACCOUNT);
    return account === undefined
      ? spec
      : onExecutor(spec, ({ pod, container }) => ({ pod: serviceAccount(pod, account), container }));
  },
};

function withServiceAccount(spec: KubernetesDriverSpec, { conf }: Submission): KubernetesDriverSpec {
  const account = conf.get(DRIVER_SERVICE_ACCOUNT);
  return account === undefined
    ? spec
    : onDriver(spec, ({ pod, container }) => ({ pod: serviceAccount(pod, account), container }));
}

function serviceAccount(pod: Pod, account: string): Pod {
  return withSpec(pod, { serviceAccount: account, serviceAccountName: account });
}

/** The Secret's entries in base64: the values and files that were given. */
function secretData({ conf, files }: Submission): Record<string, string> {
  const data: Record<string, string> = {};
  for (const { entry, given, description } of CREDENTIALS) {
    const value = conf.raw(given.key);
    if (value === undefined) continue;
    if (given.secret === true) {
      data[entry] = Buffer.from(value, "utf8").toString("base64");
      continue;
    }
    if (!files.isFile(value)) {
      throw new KindlingError(
        "FILE_UNREADABLE",
        `${given.key}: driver ${description} file ${files.absolute(value)} does not exist or is not a file`,
      );
    }
    data[entry] = Buffer.from(files.readBytes(value)).toString("base64");
  }
  return data;
}

/** Where the driver finds each credential: in the user's place, else in the mounted Secret. */
function mountedPaths({ conf }: Submission, data: Readonly<Record<string, string>>): Record<string, string> {
  const paths: Record<string, string> = {};
  for (const { entry, mounted } of CREDENTIALS) {
    const path = conf.raw(mounted.key) ?? (data[entry] === undefined ? undefined : `${MOUNT}/${entry}`);
    if (path !== undefined) paths[mounted.key] = path;
  }
  return paths;
}

function redactedTokens({ conf }: Submission): Record<string, string> {
  const tokens = Object.keys(conf.entries).filter((key) => key.endsWith("oauthToken"));
  return Object.fromEntries(tokens.map((key) => [key, "<present_but_redacted>"]));
}

function mountSecret(
  spec: KubernetesDriverSpec,
  { conf, resourceNamePrefix, notice }: Submission,
  data: Record<string, string>,
): KubernetesDriverSpec {
  const account = conf.get(DRIVER_SERVICE_ACCOUNT);
  if (account !== undefined) {
    notice(`${DRIVER_SERVICE_ACCOUNT.key}=${account} is not applied, because the driver gets credentials of its own`);
  }
  const secret: Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${resourceNamePrefix}-kubernetes-credentials` },
    immutable: true,
    data,
  };
  const mounted = onDriver(spec, (sparkPod) =>
    add(sparkPod, {
      volumes: [{ name: VOLUME, secret: { secretName: secret.metadata.name } }],
      volumeMounts: [{ name: VOLUME, mountPath: MOUNT }],
    }),
  );
  return withResources(mounted, secret);
}
