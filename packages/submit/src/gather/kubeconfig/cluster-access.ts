import { homedir } from "node:os";
import { KindlingError, type Redactor, type SparkConf } from "@kindling/core-spec";
import { loadClusterAccess, type ClusterAccess, type CredentialSource } from "@kindling/kube";
import type { Env } from "@kindling/outside";
import { clusterError } from "../../cluster/cluster-error.ts";
import { hideAuthorization } from "../../cluster/hide-credentials.ts";
import {
  KUBERNETES_CONTEXT,
  SUBMISSION_CA_CERT_FILE,
  SUBMISSION_CLIENT_CERT_FILE,
  SUBMISSION_CLIENT_KEY_FILE,
  SUBMISSION_OAUTH_TOKEN,
  SUBMISSION_OAUTH_TOKEN_FILE,
  TRUST_CERTIFICATES,
} from "../../keys/connection-keys.ts";

/**
 * How to reach the API server: the kubeconfig's context or the pod's service account, overridden by the configuration
 * (SparkKubernetesClientFactory).
 *
 * @param secrets receives the credentials as they are used, because a server may repeat what it was sent
 * @param server the address of a `k8s://` master; the context's own if undefined
 * @param notice called with a line that says what is waited for when credentials take long; also later, and more than once
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
      homeDir: env["HOME"] || homedir(),
      context: conf.get(KUBERNETES_CONTEXT) || undefined,
      interactive: true,
      onWait: notice,
      overlays: {
        server,
        token,
        tokenFile,
        // The client library treats empty values as unset.
        caFile: conf.raw(SUBMISSION_CA_CERT_FILE.key) || undefined,
        keyFile: conf.raw(SUBMISSION_CLIENT_KEY_FILE.key) || undefined,
        certFile: conf.raw(SUBMISSION_CLIENT_CERT_FILE.key) || undefined,
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
