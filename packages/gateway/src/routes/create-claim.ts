import { forbidden, type KubeObject, type OwnerReference, respondJson } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { Application } from "../applications/application.ts";
import { virtualMounts, withRealOwners } from "../claims/held-claims.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeNow } from "../upstream/make-now.ts";
import { readNewObject } from "./read-new-object.ts";

const CLAIMS = { group: "", resource: "persistentvolumeclaims" };

/**
 * POST of a claim. One that waiting executors mount is held back with them, and seen by its driver alone: it would take
 * room that others may need first. Any other is made at once.
 */
export async function createClaim(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { claims } = application;
  const { object, fingerprint } = await readNewObject(request);
  const { name } = object.metadata;
  checkClaim(application, object);
  const known = claims.get(name);
  if (known !== undefined && known.fingerprint === fingerprint) {
    respondJson(exchange, 201, claims.shown(name)?.object ?? object);
    return;
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

function checkClaim(application: Application, { metadata }: KubeObject): void {
  const { name, labels = {}, ownerReferences = [] } = metadata;
  if (labels[SPARK_APP_ID_LABEL] !== application.id) {
    const own = `that of the driver's own application, ${application.id}`;
    throw forbidden(CLAIMS, name, `its label ${SPARK_APP_ID_LABEL} must be ${own}`);
  }
  if (ownerReferences.every((owner) => isOwn(application, owner))) return;
  throw forbidden(CLAIMS, name, "its owners can be nothing but the driver's pod and its executors");
}

function isOwn({ pods }: Application, { apiVersion, kind, name, uid }: OwnerReference): boolean {
  return apiVersion === "v1" && kind === "Pod" && pods.get(name)?.uid === uid;
}
