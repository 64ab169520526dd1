import { respondJson } from "@kindling/api-server";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeNow } from "../../views/make-now.ts";
import { newObject } from "./new-object.ts";

/** POST of a ConfigMap: the ConfigMap of the executors, which must exist before any of them. */
export async function createConfigMap(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { object, fingerprint, bytes, refused } = await newObject(context, request, "configmaps");
  if (refused !== undefined) throw refused;
  await context.made.count(application.driver, { kind: "configmaps", name: object.metadata.name, bytes });
  respondJson(exchange, 201, await makeNow(context.client, application.configMaps, object, fingerprint));
}
