import { isObject, type KubeObject } from "@kindling/kube-objects";
import {
  badRequest,
  deleteOptions,
  forbidden,
  parseJson,
  readBody,
  respondJson,
  writeOptions,
} from "@kindling/api-server";
import type { KubeClient } from "@kindling/kube";
import type { Application } from "../../views/applications/application.ts";
import type { Asking } from "../../checks/check-executor.ts";
import { refusedReplicas, refusedSet, replicasOf } from "../../checks/check-set.ts";
import { markOf, type SetKind } from "../../spark/set-marks.ts";
import { markedSet } from "../../views/sets/marked-set.ts";
import { ownSet } from "../../views/sets/own-set.ts";
import { scaleOf } from "../../views/sets/scale-of.ts";
import { setWithoutToken } from "../../views/sets/set-without-token.ts";
import { askedSet, wantedSet, wish } from "../../views/sets/wanted-set.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import { refuseOrphans } from "./delete-objects.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { makeUnseen } from "../../views/make-now.ts";
import { newObject } from "./new-object.ts";

/**
 * POST of a set, as Spark's StatefulSetPodsAllocator and DeploymentPodsAllocator create one for each resource profile. It is
 * created without executors; these are added as they are admitted.
 */
export async function createSet(context: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application } = request;
  const { client, limits, applications, made: madeObjects } = context;
  const kind = kindOf(request);
  const { object, fingerprint, bytes, refused: refusedAtDoor } = await newObject(context, request, kind);
  const { name } = object.metadata;
  if (application.isOver) throw forbidden({ group: "apps", resource: kind }, name, "its driver is gone");
  const replicas = replicasOf(object);
  const refused = refusedSet(kind, object, replicas, asking(application, kind, name), limits) ?? refusedAtDoor;
  if (refused !== undefined) throw refused;
  await madeObjects.count(application.driver, { kind, name, bytes });
  const owned = markedSet(kind, setWithoutToken(object, application.driver), application.driverUid);
  const set = wantedSet(owned, application.id, replicas);
  const made = await application.sets.asking(markOf(kind, name), replicas, () =>
    makeUnseen(client, UPSTREAM[kind], set, fingerprint),
  );
  applications.setSeen(application, kind, made);
  respondJson(exchange, 201, askedSet(made));
}

/** GET of a set. */
export async function readSet({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  respondJson(request.exchange, 200, askedSet(await ownSetOf(client, request)));
}

/** GET of a set's Scale. */
export async function readScale({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  respondJson(request.exchange, 200, scaleOf(askedSet(await ownSetOf(client, request))));
}

/**
 * PUT of a set's Scale. Only its driver scales a set, so the resource version is not compared. If it wants more executors,
 * they are added as they are admitted. If it wants fewer, those that are not admitted go first.
 */
export async function scaleSet(
  { client, limits, applications }: GatewayContext,
  request: DriverRequest,
): Promise<void> {
  const { exchange, application, target } = request;
  const { name = "", namespace } = target;
  const kind = kindOf(request);
  if (writeOptions(exchange, "UpdateOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  const scale = parseJson(await readBody(exchange));
  if (!isObject(scale)) throw badRequest("the object provided is unrecognized (must be of type Scale)");
  const replicas = replicasOf(scale);
  const found = await ownSetOf(client, request);
  const { uid } = found.metadata;
  // A gateway without the right to list sets gets to know the set here.
  applications.setSeen(application, kind, found);
  const refused = refusedReplicas(kind, name, replicas, asking(application, kind, name), limits);
  if (refused !== undefined) throw refused;
  const admitted = application.sets.get(markOf(kind, name))?.admitted ?? 0;
  // With the uid the API server refuses to touch another set of the name.
  const patch = {
    metadata: { uid, ...wish(application.id, replicas) },
    spec: { replicas: Math.min(admitted, replicas) },
  };
  const scaled = await application.sets.asking(markOf(kind, name), replicas, () =>
    forward(() => client.patch(UPSTREAM[kind], name, "merge", patch, { namespace })),
  );
  applications.setSeen(application, kind, withoutManagedFields(scaled));
  respondJson(exchange, 200, scaleOf(askedSet(withoutManagedFields(scaled))));
}

/** DELETE of a set. */
export async function deleteSet({ client, applications, made }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, application, target } = request;
  const { name = "", namespace } = target;
  const kind = kindOf(request);
  const { dryRun, gracePeriodSeconds, propagationPolicy } = await deleteOptions(exchange);
  if (dryRun) throw badRequest("the gateway offers no dry runs");
  refuseOrphans(propagationPolicy);
  const found = await ownSetOf(client, request);
  const { uid } = found.metadata;
  const options = { namespace, gracePeriodSeconds, propagationPolicy, preconditions: { uid } };
  await forward(() => client.delete(UPSTREAM[kind], name, options));
  applications.setGone(application, kind, found);
  made.forget(application.driver, kind, [name]);
  const details = { name, group: "apps", kind, uid };
  respondJson(exchange, 200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}

function kindOf({ type }: DriverRequest): SetKind {
  return type.plural === "deployments" ? "deployments" : "statefulsets";
}

async function ownSetOf(client: KubeClient, request: DriverRequest): Promise<KubeObject> {
  return await ownSet(client, request.application, kindOf(request), request.target.name ?? "");
}

/** The application that asks for a set, and how many executors it has outside the set. */
function asking(application: Application, kind: SetKind, name: string): Asking {
  const { id, driver } = application;
  return { id, driver, executors: application.executorsBeside(markOf(kind, name)) };
}
