import { isObjectStoreError } from "../object-store-error.ts";
import type { AzureOptions, AzureRequests } from "./azure-request.ts";

/**
 * With a hierarchical namespace, a directory stays when its last blob is deleted, and only the Data Lake service deletes it
 * ("Path - Delete", not recursive). Without one, there is no such directory. An empty one that stays does no harm, so a
 * service that cannot be reached is not asked again.
 */
export function folderRemover(
  requests: AzureRequests,
  { dataLake: service }: AzureOptions,
): (path: string) => Promise<void> {
  let reachable = service !== undefined;
  return async (path) => {
    if (!reachable) return;
    const query = { recursive: "false" };
    const request = { method: "DELETE", key: path, query, service, once: true, accept: [400, 403, 404, 409] } as const;
    await requests.send(request).catch((error: unknown) => {
      if (!isObjectStoreError(error)) throw error;
      reachable = error.status !== undefined;
    });
  };
}
