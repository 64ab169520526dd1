import { formatTime, isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import {
  type Api,
  badRequest,
  collectionOf,
  deleteObject,
  type DeleteOptions,
  methodNotAllowed,
  notFound,
  resourceName,
  respondJson,
  type Schema,
  selectorFromSpec,
  structOf,
  type SubresourceHandler,
  tooManyRequests,
  type WriteContext,
} from "@kindling/api-server";
import { type Pod, isFinished } from "../objects/pod.ts";
import { readReview } from "../reviews/read-review.ts";

const SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** POST of an Eviction: a deletion that respects the pod's disruption budget. */
export function podEviction(schema: Schema): SubresourceHandler {
  return async ({ service, exchange, target }) => {
    if (exchange.method !== "POST") throw methodNotAllowed();
    const eviction = await readReview(exchange, structOf(schema, "Eviction"), "policy/v1");
    const metadata = isObject(eviction["metadata"]) ? eviction["metadata"] : {};
    if (metadata["name"] !== undefined && metadata["name"] !== target.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const options = isObject(eviction["deleteOptions"]) ? eviction["deleteOptions"] : {};
    const asked = Array.isArray(options["dryRun"]) ? options["dryRun"].map(String) : exchange.query.getAll("dryRun");
    evictPod(service.api, { namespace: target.namespace ?? "", name: target.name }, options, {
      user: exchange.user,
      manager: exchange.fieldManager,
      dryRun: asked.includes("All"),
      subresource: "",
    });
    respondJson(exchange, 201, SUCCESS);
  };
}

/**
 * Evicts a pod.
 *
 * @throws ApiError 404, or 429 if the pod's disruption budget forbids it.
 */
export function evictPod(
  api: Api,
  place: { namespace: string; name: string },
  options: DeleteOptions,
  context: WriteContext,
): void {
  const type = api.types.builtIn("pods");
  const stored = collectionOf(api, type).get(place.namespace, place.name);
  if (stored === undefined) throw notFound(resourceName(type), place.name);
  const pod = stored.object as Pod;
  if (!isFinished(pod) && pod.status.phase !== "Pending") checkBudgets(api, pod);
  if (!context.dryRun && pod.metadata.deletionTimestamp === undefined) {
    collectionOf(api, type).put(withDisruption(api, pod), stored.managed);
  }
  deleteObject(api, type, place, options, context);
}

function withDisruption(api: Api, pod: Pod): Pod {
  const others = (pod.status.conditions ?? []).filter(({ type }) => type !== "DisruptionTarget");
  const condition = {
    type: "DisruptionTarget",
    status: "True" as const,
    lastProbeTime: null,
    lastTransitionTime: formatTime(api.clock.now()),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  return { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
}

function checkBudgets(api: Api, pod: Pod): void {
  const { namespace = "" } = pod.metadata;
  const budgets = [...api.store.collection("poddisruptionbudgets.policy").list(namespace)]
    .map(({ object }) => object)
    .filter((budget) => selects(budget, pod));
  for (const budget of budgets) {
    const status = isObject(budget["status"]) ? budget["status"] : {};
    if (numberOf(status, "disruptionsAllowed") > 0) continue;
    const [needs, has] = [numberOf(status, "desiredHealthy"), numberOf(status, "currentHealthy")];
    const cause = `The disruption budget ${budget.metadata.name} needs ${needs} healthy pods and has ${has} currently`;
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, [
      { reason: "DisruptionBudget", message: cause },
    ]);
  }
}

function selects(budget: KubeObject, pod: Pod): boolean {
  const spec = isObject(budget["spec"]) ? budget["spec"] : {};
  const selector = spec["selector"];
  return isObject(selector) && selectorFromSpec(selector)(pod.metadata.labels);
}

function numberOf(object: JsonObject, field: string): number {
  const value = object[field];
  return typeof value === "number" ? value : 0;
}
