import type { KubeObject } from "@kindling/kube-objects";
import { notFound, respondJson } from "@kindling/api-server";
import type { ResourceType } from "@kindling/kube";
import { forward } from "../../cluster/forward.ts";
import { USAGE } from "../../views/driver-resources.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";

const METRICS: ResourceType<KubeObject> = {
  group: USAGE.group,
  version: USAGE.version,
  plural: USAGE.plural,
  kind: USAGE.kind,
  namespaced: true,
};

/**
 * GET of the resource usage of one of the driver's own pods: Spark's ExecutorResizePlugin (since 4.2) asks before it resizes.
 */
export async function readUsage(
  { client }: GatewayContext,
  { exchange, target, application }: DriverRequest,
): Promise<void> {
  const { name = "", namespace } = target;
  if (application.pods.get(name)?.state.kind !== "real") {
    throw notFound({ group: USAGE.group, resource: USAGE.plural }, name);
  }
  respondJson(exchange, 200, await forward(() => client.get(METRICS, name, { namespace })));
}
