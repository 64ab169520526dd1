import {
  badRequest,
  conflict,
  deleteOptions,
  type DeleteOptions,
  forbidden,
  notFound,
  respondJson,
  selectionOf,
} from "@kindling/api-server";
import { forward } from "../../cluster/forward.ts";
import { isDriver } from "../../spark/spark-pod.ts";
import type { Entry } from "../../views/entry.ts";
import { DELETED_AT_ONCE, namesExecutors, upstreamType } from "./delete-in-cluster.ts";
import { deleteReal } from "./delete-real.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { deletePod, endedPod, untilFollowed } from "./held-pods.ts";
import { inParallel } from "../../cluster/in-parallel.ts";

/** DELETE of one object: a virtual object is gone at once, another one when the cluster says so. */
export async function deleteOne({ client, made, letGo, held }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, target, type, mirror, application } = request;
  const { name = "", namespace = "" } = target;
  const options = await givenOptions(request);
  const resource = { group: type.group, resource: type.plural };
  const [entry, stored] = [mirror?.get(name), mirror?.shown(name)];
  if (entry === undefined || stored === undefined) throw notFound(resource, name);
  if (entry.uid === application.driverUid) {
    throw forbidden(resource, name, "a driver may delete its executors, and not itself");
  }
  checkUid(entry, options, request);
  const { state } = entry;
  const ended = endedPod(held, request, entry);
  if (canStay(letGo, request, entry)) {
    await keep(letGo, request, entry);
  } else if (ended !== undefined) {
    held?.hold(application.driverUid, [ended], () => deletePod(client, ended, options));
    application.pods.remove(entry);
  } else if (state.kind === "real") {
    const { gracePeriodSeconds, propagationPolicy } = options;
    const preconditions = { uid: state.uid };
    await untilFollowed(held, request, [entry]);
    await forward(() =>
      client.delete(upstreamType(request), name, { namespace, gracePeriodSeconds, propagationPolicy, preconditions }),
    );
    // ConfigMaps are not watched, so nothing reports their deletion.
    if (mirror === application.configMaps) {
      mirror.remove(entry);
      made.forget(application.driver, "configmaps", [name]);
    }
  } else {
    forget(request, entry);
  }
  respondJson(exchange, 200, stored.object);
}

/** DELETE of a collection: only the driver's own objects that the selectors match. */
export async function deleteCollection(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, target, type, mirror, application } = request;
  const options = await givenOptions(request);
  const selection = selectionOf(application.view, exchange, type, target);
  const matching = mirror?.select((object) => selection.matches(object) && !isDriver(object)) ?? [];
  const items = matching.map(({ object }) => object);
  const entries = items.flatMap(({ metadata }) => mirror?.get(metadata.name) ?? []);
  const { letGo } = context;
  // A driver that ends deletes all of its executors, whatever their ids.
  const staying = namesExecutors(request) ? entries.filter((entry) => canStay(letGo, request, entry)) : [];
  await inParallel(staying, DELETED_AT_ONCE, async (entry) => await keep(letGo, request, entry));
  const going = entries.filter((entry) => !staying.includes(entry));
  const [real, others] = [going.filter(isReal), going.filter((entry) => !isReal(entry))];
  for (const entry of others) forget(request, entry);
  await deleteReal(context, request, real, options);
  // ConfigMaps are not watched, so nothing reports their deletion.
  if (mirror === application.configMaps) for (const entry of real) forget(request, entry);
  const metadata = { resourceVersion: String(application.view.store.revision) };
  respondJson(exchange, 200, { kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata, items });
}

/** Whether the pod of an executor can stay for its shuffle files. */
function canStay(letGo: GatewayContext["letGo"], { mirror, application }: DriverRequest, entry: Entry): boolean {
  const pod = mirror === application.pods && isReal(entry) ? application.pods.current(entry) : undefined;
  return pod !== undefined && letGo.canStay(pod);
}

/** The executor is gone for its driver, or is being ended. Its pod stays. */
async function keep(letGo: GatewayContext["letGo"], { application }: DriverRequest, entry: Entry): Promise<void> {
  const pod = application.pods.current(entry);
  if (pod === undefined || entry.state.kind !== "real") return;
  const { name } = entry;
  const { uid } = entry.state;
  const { namespace } = application;
  if (await forward(() => letGo.byDriver(pod, { name, namespace, uid }))) application.pods.remove(entry);
}

function isReal({ state }: Entry): boolean {
  return state.kind === "real";
}

/** Removes an object from the view without waiting for the cluster. */
function forget({ mirror, application }: DriverRequest, entry: Entry): void {
  if (mirror === application.pods) application.drop(entry);
  else mirror?.remove(entry);
}

/**
 * Refuses deletions that would leave dependents behind: they would belong to nobody, count for nobody, and stay.
 *
 * @throws ApiError 400
 */
export function refuseOrphans(propagationPolicy: DeleteOptions["propagationPolicy"] | undefined): void {
  if (propagationPolicy !== "Orphan") return;
  throw badRequest("propagationPolicy may be Background or Foreground: a driver leaves no orphans behind");
}

async function givenOptions({ exchange }: DriverRequest): Promise<DeleteOptions> {
  const { dryRun, ...options } = await deleteOptions(exchange);
  if (dryRun) throw badRequest("the gateway offers no dry runs");
  refuseOrphans(options.propagationPolicy);
  return options;
}

function checkUid(entry: Entry, { preconditions }: DeleteOptions, { type }: DriverRequest): void {
  const asked = preconditions?.uid;
  if (asked === undefined || asked === entry.uid) return;
  const why = `the UID in the precondition (${asked}) does not match the UID in record (${entry.uid})`;
  throw conflict({ group: type.group, resource: type.kind }, entry.name, why);
}
