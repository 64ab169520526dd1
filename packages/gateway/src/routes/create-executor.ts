import { alreadyExists, forbidden, respondJson } from "@kindling/api-server";
import { heldFor } from "../executor-steps/own-objects.ts";
import { refusedExecutor } from "../pods/check-executor.ts";
import { virtualPod } from "../pods/virtual-pod.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { ownedByDriver } from "./owned-by-driver.ts";
import { readNewObject } from "./read-new-object.ts";

/** POST of a pod: it is there at once for its driver, and waits for its admission. The cluster is not asked. */
export async function createExecutor(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application, type } = request;
  const { clock, applications, admission, executorSteps, limits } = context;
  const { object, fingerprint } = await readNewObject(request);
  const configure = await executorSteps.of(application);
  const { name } = object.metadata;
  // The driver may have gone while its request was read.
  if (application.isOver) throw forbidden({ group: type.group, resource: type.plural }, name, "its driver is gone");
  const known = application.executor(name);
  // The answer to the same request was lost, with a connection or with a gateway.
  if (known !== undefined && known.fingerprint === fingerprint) {
    respondJson(exchange, 201, application.pods.shown(name)?.object ?? object);
    return;
  }
  const refused = refusedExecutor(object, application, limits);
  if (refused !== undefined) throw refused;
  if (applications.isPodNameTaken(application.namespace, name)) {
    throw alreadyExists({ group: type.group, resource: type.plural }, name);
  }
  const { pod, objects } = heldFor(configure(ownedByDriver(object, application.driver)));
  const now = clock.now();
  const wanted = { object: virtualPod(pod, now), request: pod, fingerprint, user: exchange.user, objects };
  // `add` takes over the object with its metadata, and the request has to stay as it is.
  const entry = application.pods.add({ ...wanted, object: { ...wanted.object, metadata: { ...pod.metadata } } });
  application.wait(entry);
  admission.changed();
  respondJson(exchange, 201, application.pods.shown(name)?.object ?? pod);
}
