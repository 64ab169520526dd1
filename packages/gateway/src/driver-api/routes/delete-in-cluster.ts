import { type DeleteOptions } from "@kindling/api-server";
import {
  KEEPER_LABEL,
  SPARK_APP_ID_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { isConflict, isNotFound, type ResourceType } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { restartWish } from "../../controllers/driver-restarts/restart-wish.ts";
import { owningPods, type PodRef } from "../../spark/spark-pod.ts";
import type { Entry } from "../../views/entry.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { inParallel } from "../../cluster/in-parallel.ts";

export const DELETED_AT_ONCE = 16;

/** Whether the selectors name executors by their ids. */
export function namesExecutors({ exchange, type }: DriverRequest): boolean {
  return type.plural === "pods" && (exchange.query.get("labelSelector") ?? "").includes(SPARK_EXECUTOR_ID_LABEL);
}

export interface SelectedOptions extends DeleteOptions {
  /** A further selector of fields. */
  readonly only: string | undefined;
}

/** Deletes the application's objects in the cluster with one request. */
export async function deleteSelected(
  { client }: GatewayContext,
  request: DriverRequest,
  known: number,
  { gracePeriodSeconds, propagationPolicy, only }: SelectedOptions,
): Promise<void> {
  const { mirror, application } = request;
  // Services are not known here, and ConfigMaps only in part.
  const mayBeThere = mirror === undefined || mirror === application.configMaps || known > 0;
  if (!mayBeThere || isKeptForNext(request)) return;
  const options = { ...selectorsOf(request, only), gracePeriodSeconds, propagationPolicy };
  await forward(() => client.deleteCollection(upstreamType(request), options));
}

/** What a deletion selects in the cluster. */
export interface Selectors {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string | undefined;
}

/** The request's selectors, narrowed to the driver's own objects. */
export function selectorsOf(request: DriverRequest, only: string | undefined): Selectors {
  const { exchange, target } = request;
  const labelSelector = narrowed(exchange.query.get("labelSelector") ?? "", request);
  const fields = [exchange.query.get("fieldSelector") ?? "", only ?? ""].filter((text) => text !== "");
  const fieldSelector = fields.length === 0 ? undefined : fields.join(",");
  return { namespace: target.namespace ?? "", labelSelector, fieldSelector };
}

/**
 * Deletes the objects that certainly belong to this driver, each with its own request, several at once. It does not delete by
 * labels, because other drivers' objects have the same ones. A Service is deleted with the driver's pod, which owns it.
 */
export async function deleteEach(
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

/** Narrows a selector to the driver's own objects. */
function narrowed(given: string, request: DriverRequest): string {
  const { application, type } = request;
  const own = [`${SPARK_APP_ID_LABEL}=${application.id}`];
  if (type.plural === "pods") own.push(`${SPARK_ROLE_LABEL}=${SPARK_ROLE_EXECUTOR}`);
  if (namesExecutors(request)) own.push(`!${KEEPER_LABEL}`);
  return [given, ...own].filter((text) => text !== "").join(",");
}

/** The type of the request's objects in the cluster. */
export function upstreamType({ type: { plural } }: DriverRequest): ResourceType<KubeObject> {
  const found = Object.entries(UPSTREAM).find(([name]) => name === plural)?.[1];
  if (found === undefined) throw new Error(`${plural} are not among what is forwarded`);
  return found;
}
