import { forbidden, respondJson } from "@kindling/api-server";
import { virtualMounts, withRealOwners } from "../../controllers/executors/held-claims.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeNow } from "../../views/make-now.ts";
import { newObject } from "./new-object.ts";

const CLAIMS = { group: "", resource: "persistentvolumeclaims" };

/**
 * POST of a claim. A claim that waiting executors mount is held back with them, and only its driver sees it: it would take
 * room that others may need first. Any other claim is created at once.
 */
export async function createClaim(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { claims } = application;
  const { object, fingerprint, refused } = await newObject(context, request, "persistentvolumeclaims");
  if (refused !== undefined) throw refused;
  const { name } = object.metadata;
  const known = claims.get(name);
  if (known !== undefined && known.fingerprint === fingerprint) {
    respondJson(exchange, 201, claims.shown(name)?.object ?? object);
    return;
  }
  if (claims.size >= context.mostClaims) {
    throw forbidden(CLAIMS, name, `an application may have ${context.mostClaims} claims; delete some first`);
  }
  const executors = virtualMounts(application, name);
  const isFree = executors.length === 0 && withRealOwners(application, object) !== undefined;
  if (isFree) {
    const made = withRealOwners(application, object) ?? object;
    respondJson(exchange, 201, await makeNow(context.client, claims, made, fingerprint));
    return;
  }
  const shown = { ...object, status: { phase: "Pending" }, metadata: { ...object.metadata } };
  claims.add({ object: shown, request: object, fingerprint, user: exchange.user });
  for (const executor of executors) {
    if (executor.state.kind === "creating") context.maker.make(application, executor);
  }
  respondJson(exchange, 201, claims.shown(name)?.object ?? object);
}
