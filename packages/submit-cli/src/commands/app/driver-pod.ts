import { isDnsSubdomain } from "@kindling/core-spec";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { ApplicationView } from "./application-view.ts";

/**
 * The driver pod of an application, if it has one at the moment.
 *
 * @throws KubeError
 */
export async function driverPod(
  client: KubeClient,
  { namespace, driverPod: name = "" }: Pick<ApplicationView, "namespace" | "driverPod">,
): Promise<Pod | undefined> {
  if (!isDnsSubdomain(name)) return undefined;
  try {
    return await client.get(resources.pods, name, { namespace });
  } catch (error) {
    if (isObjectNotFound(error, resources.pods, name)) return undefined;
    throw error;
  }
}

/** The same, but undefined also if this user may not see the pod. */
export async function visibleDriverPod(
  client: KubeClient,
  view: Pick<ApplicationView, "namespace" | "driverPod">,
): Promise<Pod | undefined> {
  try {
    return await driverPod(client, view);
  } catch {
    return undefined;
  }
}
