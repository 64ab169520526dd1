import type { Condition } from "../../objects/object.ts";
import type { Pod } from "../../objects/pod.ts";
import { defined, isObject } from "../../json.ts";
import { type Api, type WriteContext, collectionOf, resourceName } from "../api.ts";
import { updateObject } from "../operations/update.ts";
import { readReview } from "../reviews/read-review.ts";
import type { Exchange } from "../routes/exchange.ts";
import { readObject } from "../routes/read-body.ts";
import { respondJson } from "../routes/respond.ts";
import type { ReviewHandler, Service, SubresourceHandler } from "../routes/service.ts";
import { formatTime } from "../schema/time.ts";
import { type Schema, structOf } from "../schema/types.ts";
import { badRequest, conflict, invalid, methodNotAllowed, notFound } from "../status/errors.ts";
import { invalidValue, notSupported, required } from "../validation/field-error.ts";

/** A status that says that something was done. */
export const SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } as const;

/**
 * Assigns a pod to a node.
 *
 * @throws ApiError 404 if there is no such pod, 409 if it has a node already, is being deleted or is still gated.
 */
export function bindPod(
  api: Api,
  place: { namespace: string; name: string },
  node: string,
  context: WriteContext,
): Pod {
  const type = api.types.builtIn("pods");
  const { stored } = updateObject(
    api,
    type,
    place,
    (current) => ({
      object: assigned(api, current.object as Pod, node),
      managed: { entries: current.managed, final: true },
    }),
    { ...context, subresource: "binding" },
  );
  return stored.object as Pod;
}

function assigned(api: Api, pod: Pod, node: string): Pod {
  const { name, deletionTimestamp } = pod.metadata;
  const refuse = (why: string): Error => conflict({ group: "", resource: "pods/binding" }, name, why);
  if (deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if ((pod.spec.nodeName ?? "") !== "") {
    throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  }
  if ((pod.spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  const condition: Condition = defined({
    type: "PodScheduled",
    status: "True" as const,
    lastProbeTime: null,
    lastTransitionTime: formatTime(api.clock.now()),
    observedGeneration: pod.metadata.generation,
  });
  const others = (pod.status.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
  const status = Object.assign(defined(pod.status), { conditions: [...others, condition] });
  return { ...pod, metadata: { ...pod.metadata }, spec: Object.assign(defined(pod.spec), { nodeName: node }), status };
}

/** POST of a Binding to a pod. */
export function podBinding(schema: Schema): SubresourceHandler {
  return async ({ service, exchange, target }) => {
    if (exchange.method !== "POST") throw methodNotAllowed();
    await bind(schema, service, exchange, target.namespace ?? "", target.name);
  };
}

/** POST of a Binding to a namespace: the old way. */
export function bindingReview(schema: Schema): ReviewHandler {
  return async (service, exchange, target) => await bind(schema, service, exchange, target.namespace ?? "", undefined);
}

async function bind(
  schema: Schema,
  service: Service,
  exchange: Exchange,
  namespace: string,
  name: string | undefined,
): Promise<void> {
  const binding = await readReview(exchange, structOf(schema, "Binding"), "v1");
  const target = isObject(binding["target"]) ? binding["target"] : {};
  const metadata = isObject(binding["metadata"]) ? binding["metadata"] : {};
  const podName = name ?? String(metadata["name"] ?? "");
  if (name !== undefined && metadata["name"] !== undefined && metadata["name"] !== name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  const { kind = "", name: node } = target;
  if (kind !== "" && kind !== "Node")
    throw invalid("", "Binding", podName, [notSupported("target.kind", kind, ["Node", ""])]);
  if (typeof node !== "string" || node === "") throw invalid("", "Binding", podName, [required("target.name")]);
  bindPod(service.api, { namespace, name: podName }, node, {
    user: exchange.user,
    manager: exchange.fieldManager,
    dryRun: exchange.query.getAll("dryRun").includes("All"),
    subresource: "binding",
  });
  respondJson(exchange, 201, SUCCESS);
}

/** PUT of a namespace's finalizers, which the spec holds. */
export const namespaceFinalize: SubresourceHandler = async ({ service, exchange, type, target }) => {
  if (exchange.method !== "PUT") throw methodNotAllowed();
  const sent = await readObject(exchange, type, service.api.types);
  const collection = collectionOf(service.api, type);
  const current = collection.get(undefined, target.name);
  if (current === undefined) throw notFound(resourceName(type), target.name);
  if (sent.metadata.name !== target.name) {
    throw invalid("", "Namespace", target.name, [
      invalidValue("metadata.name", sent.metadata.name, "field is immutable"),
    ]);
  }
  const stored = collection.put({ ...current.object, spec: sent["spec"] ?? {} }, current.managed);
  const { deletionTimestamp, finalizers = [] } = stored.object.metadata;
  const held = type.rules.heldDeletion?.(stored.object) !== undefined;
  // This is how people free themselves of a namespace that does not go away.
  if (deletionTimestamp !== undefined && finalizers.length === 0 && !held) collection.remove(undefined, target.name);
  respondJson(exchange, 200, stored.object);
};
