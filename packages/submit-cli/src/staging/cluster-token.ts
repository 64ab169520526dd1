import { KindlingError, messageOf, type SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { DRIVER_SERVICE_ACCOUNT } from "@kindling/steps";

// The shortest life that an API server gives a token.
const LIFE_SECONDS = 600;

/**
 * A token that the cluster knows the caller by: the kubeconfig's own or, where that proves the caller by a certificate,
 * a short-lived one of the driver's service account (TokenRequest, authentication.k8s.io/v1), which has to be able to
 * create pods anyway.
 *
 * @throws KindlingError `CLUSTER_FORBIDDEN` where that is not allowed
 */
export async function clusterToken(client: KubeClient, conf: SparkConf, namespace: string): Promise<string> {
  const { authorization } = await client.access.credentials.current();
  const own = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  if (own !== undefined) return own;
  const account = conf.get(DRIVER_SERVICE_ACCOUNT) ?? "default";
  try {
    const { status } = await client.request<{ readonly status: { readonly token: string } }>({
      method: "POST",
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(account)}/token`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: LIFE_SECONDS } },
    });
    return status.token;
  } catch (error) {
    throw new KindlingError(
      "CLUSTER_FORBIDDEN",
      `the staging server wants a token of the cluster, and none can be had for service account ${account}: ${messageOf(error)}`,
      {
        hint: "give one with KINDLING_STAGING_TOKEN, or grant create on serviceaccounts/token in the namespace",
        cause: error,
      },
    );
  }
}
