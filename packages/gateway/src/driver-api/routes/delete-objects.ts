import type { KubeObject } from "@kindling/kube-objects";
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
import {
  KEEPER_LABEL,
  SPARK_APP_ID_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { isConflict, isNotFound, type ResourceType } from "@kindling/kube";
import { restartWish } from "../../controllers/driver-restarts/restart-wish.ts";
import { isDriver, owningPods, type PodRef } from "../../spark/spark-pod.ts";
import { forward } from "../../cluster/forward.ts";
import { inParallel } from "./in-parallel.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { Entry } from "../../views/entry.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";

const DELETED_AT_ONCE = 16;

/** DELETE of one object: a virtual object is gone at once, another one when the cluster says so. */
export async function deleteOne({ client, made, letGo }: GatewayContext, request: DriverRequest): Promise<void> {
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
  if (canStay(letGo, request, entry)) {
    await keep(letGo, request, entry);
  } else if (state.kind === "real") {
    const { gracePeriodSeconds, propagationPolicy } = options;
    const preconditions = { uid: state.uid };
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
  if (context.applications.sharesItsId(application)) await deleteEach(context, request, real, options);
  else await deleteSelected(context, request, real.length, options);
  // ConfigMaps are not watched, so nothing reports their deletion.
  if (mirror === application.configMaps) for (const entry of real) forget(request, entry);
  const metadata = { resourceVersion: String(application.view.store.revision) };
  respondJson(exchange, 200, { kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata, items });
}

/** Whether the selectors name executors by their ids. */
function namesExecutors({ exchange, type }: DriverRequest): boolean {
  return type.plural === "pods" && (exchange.query.get("labelSelector") ?? "").includes(SPARK_EXECUTOR_ID_LABEL);
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

/** Deletes the application's objects in the cluster with one request. */
async function deleteSelected(
  { client }: GatewayContext,
  request: DriverRequest,
  known: number,
  { gracePeriodSeconds, propagationPolicy }: DeleteOptions,
): Promise<void> {
  const { exchange, target, mirror, application } = request;
  const { namespace = "" } = target;
  // Services are not known here, and ConfigMaps only in part.
  const mayBeThere = mirror === undefined || mirror === application.configMaps || known > 0;
  if (!mayBeThere || isKeptForNext(request)) return;
  const labelSelector = narrowed(exchange.query.get("labelSelector") ?? "", request);
  const fieldSelector = exchange.query.get("fieldSelector") ?? undefined;
  const options = { namespace, labelSelector, fieldSelector, gracePeriodSeconds, propagationPolicy };
  await forward(() => client.deleteCollection(upstreamType(request), options));
}

/**
 * Deletes the objects that certainly belong to this driver, each with its own request, several at once. It does not delete by
 * labels, because other drivers' objects have the same ones. A Service is deleted with the driver's pod, which owns it.
 */
async function deleteEach(
  { client }: GatewayContext,
  request: DriverRequest,
  entries: readonly Entry[],
  { gracePeriodSeconds, propagationPolicy }: DeleteOptions,
): Promise<void> {
  const { target, mirror, application } = request;
  const { namespace = "" } = target;
  const own = entries.filter(({ name }) => mirror !== application.claims || isOwnClaim(request, name));
  await inParallel(own, DELETED_AT_ONCE, async ({ name, state }) => {
    if (state.kind !== "real") return;
    const options = { namespace, gracePeriodSeconds, propagationPolicy, preconditions: { uid: state.uid } };
    await forward(async () => {
      try {
        await client.delete(upstreamType(request), name, options);
      } catch (error) {
        // It is gone already, or another object has its name now.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    });
  });
}

/** Whether a claim says that it is the driver's, or of one of its executors. */
function isOwnClaim({ application: { claims, pods } }: DriverRequest, name: string): boolean {
  const claim = claims.shown(name)?.object;
  const isOwn = (owner: PodRef): boolean => {
    const entry = pods.get(owner.name);
    return entry?.uid === owner.uid || (entry?.state.kind === "real" && entry.state.uid === owner.uid);
  };
  return claim !== undefined && owningPods(claim).some(isOwn);
}

/** Spark deletes the driver's Service when the driver ends, but a restarted driver needs it. */
function isKeptForNext({ type, application }: DriverRequest): boolean {
  return type.plural === "services" && restartWish(application.driver) !== undefined;
}

/** Removes an object from the view without waiting for the cluster. */
function forget({ mirror, application }: DriverRequest, entry: Entry): void {
  if (mirror === application.pods) application.drop(entry);
  else mirror?.remove(entry);
}

/** Narrows a selector to the driver's own objects. */
function narrowed(given: string, request: DriverRequest): string {
  const { application, type } = request;
  const own = [`${SPARK_APP_ID_LABEL}=${application.id}`];
  if (type.plural === "pods") own.push(`${SPARK_ROLE_LABEL}=${SPARK_ROLE_EXECUTOR}`);
  if (namesExecutors(request)) own.push(`!${KEEPER_LABEL}`);
  return [given, ...own].filter((text) => text !== "").join(",");
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

function upstreamType({ type: { plural } }: DriverRequest): ResourceType<KubeObject> {
  const found = Object.entries(UPSTREAM).find(([name]) => name === plural)?.[1];
  if (found === undefined) throw new Error(`${plural} are not among what is forwarded`);
  return found;
}
