import { type KubeClient, resources } from "@kindling/kube";

/**
 * The address of the API server for drivers. Spark assumes port 443; if this user may not listen there, the service has the
 * API server's own port.
 */
export async function driverMaster(client: KubeClient): Promise<string> {
  const { spec } = await client.get(resources.services, "kubernetes");
  return `https://kubernetes.default.svc:${spec?.ports?.[0]?.port ?? 443}`;
}
