import {
  badRequest,
  deleteOptions,
  forbidden,
  isObject,
  type KubeObject,
  parseJson,
  readBody,
  respondJson,
  writeOptions,
} from "@kindling/api-server";
import type { KubeClient } from "@kindling/kube";
import type { Application } from "../applications/application.ts";
import type { Asking } from "../pods/check-executor.ts";
import { refusedReplicas, refusedSet, replicasOf } from "../sets/check-set.ts";
import { markedSet, markOf } from "../sets/marked-set.ts";
import { ownSet } from "../sets/own-set.ts";
import { scaleOf } from "../sets/scale-of.ts";
import { setWithoutToken } from "../sets/set-without-token.ts";
import { forward } from "../upstream/forward.ts";
import { type SetKind, UPSTREAM, withoutManagedFields } from "../upstream/upstream-types.ts";
import { refuseOrphans } from "./delete-objects.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeUnseen } from "../upstream/make-now.ts";
import { newObject } from "./new-object.ts";

/** POST of a set, as Spark's StatefulSetPodsAllocator and DeploymentPodsAllocator make one for each resource profile. */
export async function createSet(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { client, limits } = context;
  const kind = kindOf(request);
  const { object, fingerprint, refused: refusedAtDoor } = await newObject(context, request, kind);
  const { name } = object.metadata;
  if (application.isOver) throw forbidden({ group: "apps", resource: kind }, name, "its driver is gone");
  const replicas = replicasOf(object);
  const refused = refusedSet(kind, object, replicas, asking(application, kind, name), limits) ?? refusedAtDoor;
  if (refused !== undefined) throw refused;
  const set = markedSet(kind, setWithoutToken(object, application.driver), application.driverUid);
  const made = await counted(application, markOf(kind, name), replicas, () =>
    makeUnseen(client, UPSTREAM[kind], set, fingerprint),
  );
  respondJson(exchange, 201, made);
}

/** GET of a set. */
export async function readSet({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  respondJson(request.exchange, 200, await ownSetOf(client, request));
}

/** GET of a set's Scale. */
export async function readScale({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  respondJson(request.exchange, 200, scaleOf(await ownSetOf(client, request)));
}

/** PUT of a set's Scale. Only its driver scales a set: the version that it has read is not compared. */
export async function scaleSet({ client, limits }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application, target } = request;
  const { name = "", namespace } = target;
  const kind = kindOf(request);
  if (writeOptions(exchange, "UpdateOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  const scale = parseJson(await readBody(exchange));
  if (!isObject(scale)) throw badRequest("the object provided is unrecognized (must be of type Scale)");
  const replicas = replicasOf(scale);
  const { uid } = (await ownSetOf(client, request)).metadata;
  const refused = refusedReplicas(kind, name, replicas, asking(application, kind, name), limits);
  if (refused !== undefined) throw refused;
  // With the uid the API server refuses to touch another set of the name.
  const patch = { metadata: { uid }, spec: { replicas } };
  const scaled = await counted(application, markOf(kind, name), replicas, () =>
    forward(() => client.patch(UPSTREAM[kind], name, "merge", patch, { namespace })),
  );
  respondJson(exchange, 200, scaleOf(withoutManagedFields(scaled)));
}

/** DELETE of a set. */
export async function deleteSet({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application, target } = request;
  const { name = "", namespace } = target;
  const kind = kindOf(request);
  const { dryRun, gracePeriodSeconds, propagationPolicy } = await deleteOptions(exchange);
  if (dryRun) throw badRequest("the gateway offers no dry runs");
  refuseOrphans(propagationPolicy);
  const { uid } = (await ownSetOf(client, request)).metadata;
  const options = { namespace, gracePeriodSeconds, propagationPolicy, preconditions: { uid } };
  await forward(() => client.delete(UPSTREAM[kind], name, options));
  application.sets.restore(markOf(kind, name), undefined);
  const details = { name, group: "apps", kind, uid };
  respondJson(exchange, 200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}

function kindOf({ type }: DriverRequest): SetKind {
  return type.plural === "deployments" ? "deployments" : "statefulsets";
}

async function ownSetOf(client: KubeClient, request: DriverRequest): Promise<KubeObject> {
  return await ownSet(client, request.application, kindOf(request), request.target.name ?? "");
}

/** The application that asks for a set, with the executors that it has beside those of the set. */
function asking(application: Application, kind: SetKind, name: string): Asking {
  const { id, driver } = application;
  return { id, driver, executors: application.executorsBeside(markOf(kind, name)) };
}

/** Counts a set's executors from the moment in which they are asked for, unless that comes to nothing. */
async function counted<T>({ sets }: Application, set: string, replicas: number, ask: () => Promise<T>): Promise<T> {
  const before = sets.asked(set);
  sets.ask(set, replicas);
  try {
    return await ask();
  } catch (error) {
    sets.restore(set, before);
    throw error;
  }
}
