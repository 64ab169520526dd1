import { isNotFound, type KubeClient } from "@kindling/kube";
import { objectAt } from "../json/fields.ts";
import { forward } from "./forward.ts";
import { UPSTREAM } from "./upstream-types.ts";

/**
 * The entries of a ConfigMap; empty if there is no such ConfigMap.
 *
 * @throws ApiError 503 if the cluster cannot be asked
 */
export async function configMapEntries(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<Record<string, string>> {
  const configMap = await forward(async () => {
    try {
      return await client.get(UPSTREAM.configmaps, name, { namespace });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });
  const entries = Object.entries(objectAt(configMap, "data"));
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}
