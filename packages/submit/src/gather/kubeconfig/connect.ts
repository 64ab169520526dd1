import { homedir } from "node:os";
import {
  confKey,
  confType,
  KindlingError,
  optionalConfKey,
  type ConfKey,
  type Redactor,
  type SparkConf,
} from "@kindling/core-spec";
import {
  createKubeClient,
  loadClusterAccess,
  type ClusterAccess,
  type Credentials,
  type CredentialSource,
  type KubeClient,
} from "@kindling/kube";
import type { Env } from "../configuration/spark-env.ts";
import { clusterError } from "../../cluster/cluster-error.ts";

const { boolean, int, text } = confType;

function authKey(suffix: string, doc: string, secret = false): ConfKey<string | undefined> {
  return optionalConfKey({
    key: `spark.kubernetes.authenticate.submission.${suffix}`,
    type: text,
    since: "2.3.0",
    readBy: ["submit", "kill"],
    secret,
    doc,
  });
}

export const SUBMISSION_OAUTH_TOKEN: ConfKey<string | undefined> = authKey(
  "oauthToken",
  "A bearer token for the API server while submitting. Excludes the file.",
  true,
);
export const SUBMISSION_OAUTH_TOKEN_FILE: ConfKey<string | undefined> = authKey(
  "oauthTokenFile",
  "A file with a bearer token for the API server while submitting.",
);
export const SUBMISSION_CA_CERT_FILE: ConfKey<string | undefined> = authKey(
  "caCertFile",
  "The certificate authority of the API server, as a PEM file, while submitting.",
);
export const SUBMISSION_CLIENT_KEY_FILE: ConfKey<string | undefined> = authKey(
  "clientKeyFile",
  "The key of the client certificate, as a PEM file, while submitting.",
);
export const SUBMISSION_CLIENT_CERT_FILE: ConfKey<string | undefined> = authKey(
  "clientCertFile",
  "A client certificate for the API server, as a PEM file, while submitting.",
);

export const KUBERNETES_CONTEXT: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.context",
  type: text,
  since: "3.0.0",
  readBy: ["submit", "driver", "kill"],
  doc: "The context of the kubeconfig to use; its current one if unset.",
});

export const TRUST_CERTIFICATES: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.trust.certificates",
  type: boolean,
  default: "false",
  since: "3.2.0",
  readBy: ["submit", "driver", "kill"],
  doc: "Whether any certificate of the API server is accepted.",
});

export const REQUEST_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.kubernetes.submission.requestTimeout",
  type: int,
  default: "10000",
  since: "3.0.0",
  readBy: ["submit", "kill"],
  doc: "How long one request to the API server may take while submitting, in milliseconds; 0 for any time.",
});

export const CONNECTION_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.kubernetes.submission.connectionTimeout",
  type: int,
  default: "10000",
  since: "3.0.0",
  readBy: ["submit", "kill"],
  doc: "How long a connection to the API server may take while submitting, in milliseconds; 0 for any time.",
});

export const CONNECTION_KEYS: readonly ConfKey<unknown>[] = [
  SUBMISSION_OAUTH_TOKEN,
  SUBMISSION_OAUTH_TOKEN_FILE,
  SUBMISSION_CA_CERT_FILE,
  SUBMISSION_CLIENT_KEY_FILE,
  SUBMISSION_CLIENT_CERT_FILE,
  KUBERNETES_CONTEXT,
  TRUST_CERTIFICATES,
  REQUEST_TIMEOUT,
  CONNECTION_TIMEOUT,
];

/**
 * How to reach the API server: the kubeconfig's context or the pod's service account, and over that what the
 * configuration says (SparkKubernetesClientFactory).
 *
 * @param secrets learns the credentials as they are used, since a server may repeat what it was sent
 * @param server the address of a `k8s://` master; the context's own if undefined
 * @param notice told, in one line, what is waited for when credentials take long, also later and more than once
 */
export async function clusterAccess(
  conf: SparkConf,
  env: Env,
  secrets: Redactor,
  server: string | undefined,
  notice: (message: string) => void,
): Promise<ClusterAccess> {
  const token = conf.raw(SUBMISSION_OAUTH_TOKEN.key);
  const tokenFile = conf.raw(SUBMISSION_OAUTH_TOKEN_FILE.key);
  if (token !== undefined && tokenFile !== undefined) {
    throw new KindlingError(
      "CONF_CONFLICT",
      `cannot specify an OAuth token through both ${SUBMISSION_OAUTH_TOKEN_FILE.key} and ${SUBMISSION_OAUTH_TOKEN.key}`,
    );
  }
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token.trim())) {
    throw new KindlingError(
      "CONF_INVALID",
      `${SUBMISSION_OAUTH_TOKEN.key}: its value holds characters that no token has`,
    );
  }
  try {
    const access = await loadClusterAccess({
      env,
      homeDir: env["HOME"] ?? homedir(),
      context: conf.get(KUBERNETES_CONTEXT) || undefined,
      interactive: true,
      onWait: notice,
      overlays: {
        server,
        token,
        tokenFile,
        caFile: conf.raw(SUBMISSION_CA_CERT_FILE.key),
        keyFile: conf.raw(SUBMISSION_CLIENT_KEY_FILE.key),
        certFile: conf.raw(SUBMISSION_CLIENT_CERT_FILE.key),
        insecure: conf.get(TRUST_CERTIFICATES) || undefined,
      },
    });
    return { ...access, credentials: hiding(access.credentials, secrets) };
  } catch (error) {
    throw clusterError(error);
  }
}

function hiding(credentials: CredentialSource, secrets: Redactor): CredentialSource {
  return {
    description: credentials.description,
    reject: (used) => credentials.reject(used),
    async current() {
      const current = await credentials.current();
      hideAuthorization(current, secrets);
      return current;
    },
  };
}

/** Keeps from being shown what a client that somebody else made proves itself by; it has been used before. */
export async function hideCredentials({ access }: KubeClient, secrets: Redactor): Promise<void> {
  try {
    hideAuthorization(await access.credentials.current(), secrets);
  } catch {
    // Then there is nothing to hide.
  }
}

/** Keeps the value of an `Authorization` header from being shown, and the login in it (RFC 7617). */
function hideAuthorization({ authorization = "" }: Credentials, secrets: Redactor): void {
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  secrets.hide(value);
  if (scheme.toLowerCase() !== "basic") return;
  const login = Buffer.from(value, "base64").toString();
  secrets.hide(login);
  secrets.hide(login.slice(login.indexOf(":") + 1));
}

/** For the HTTP client of spark-submit, 0 means no limit. */
function limitOf(milliseconds: number): number {
  return milliseconds <= 0 ? Number.POSITIVE_INFINITY : milliseconds;
}

/** A client with the submission's time-outs. */
export function connect(
  access: ClusterAccess,
  conf: SparkConf,
  namespace: string | undefined,
  userAgent: string,
): KubeClient {
  return createKubeClient(access, {
    namespace,
    userAgent,
    requestTimeoutMs: limitOf(conf.get(REQUEST_TIMEOUT)),
    connectTimeoutMs: limitOf(conf.get(CONNECTION_TIMEOUT)),
    retry: { limit: 3 },
  });
}
