import type { KubeObject } from "@kindling/kube-objects";
import { notFound } from "@kindling/api-server";
import type { KubeClient } from "@kindling/kube";
import type { Application } from "../applications/application.ts";
import { isOwnedBy } from "../../spark/spark-pod.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { SetKind } from "../../spark/set-marks.ts";

/**
 * Reads a set of an application from the cluster.
 *
 * @throws ApiError 404 if it does not exist or is not the driver's own, or the API server's answer
 */
export async function ownSet(
  client: KubeClient,
  { namespace, driverRef }: Application,
  kind: SetKind,
  name: string,
): Promise<KubeObject> {
  const set = await forward(() => client.get(UPSTREAM[kind], name, { namespace }));
  if (!isOwnedBy(set, driverRef)) throw notFound({ group: "apps", resource: kind }, name);
  return withoutManagedFields(set);
}
