import { type KubeClient, resources } from "@kindling/kube";

/**
 * Where drivers reach the API server. Spark takes its port to be 443; where this user may not listen there, the service
 * has the API server's own.
 */
export async function driverMaster(client: KubeClient): Promise<string> {
  const { spec } = await client.get(resources.services, "kubernetes");
  return `https://kubernetes.default.svc:${spec?.ports?.[0]?.port ?? 443}`;
}
