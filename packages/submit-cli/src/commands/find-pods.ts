import { isKindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { findApplication, findApplications, type ApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";

/**
 * The driver pods that a user means: of a name one, of a pattern all; none where nothing is called so.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a name that several have, KubeError
 */
export async function findPods(client: KubeClient, name: ApplicationName): Promise<Pod[]> {
  if (name.isPattern) return await findApplications(client, name);
  try {
    return [await findApplication(client, name)];
  } catch (error) {
    if (isKindlingError(error) && error.code === "OBJECT_NOT_FOUND") return [];
    throw error;
  }
}
