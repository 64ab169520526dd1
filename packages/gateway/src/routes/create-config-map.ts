import { forbidden, respondJson } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeNow } from "../upstream/make-now.ts";
import { readNewObject } from "./read-new-object.ts";

const CONFIG_MAPS = { group: "", resource: "configmaps" };

/** POST of a ConfigMap: that of the executors, which must be there before any of them. */
export async function createConfigMap({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { object, fingerprint } = await readNewObject(request);
  const { name, labels = {}, ownerReferences = [] } = object.metadata;
  if (labels[SPARK_APP_ID_LABEL] !== application.id) {
    const own = `that of the driver's own application, ${application.id}`;
    throw forbidden(CONFIG_MAPS, name, `its label ${SPARK_APP_ID_LABEL} must be ${own}`);
  }
  if (ownerReferences.some(({ uid }) => uid !== application.driverUid)) {
    throw forbidden(CONFIG_MAPS, name, "its owner can be nothing but the driver's pod");
  }
  respondJson(exchange, 201, await makeNow(client, application.configMaps, object, fingerprint));
}
