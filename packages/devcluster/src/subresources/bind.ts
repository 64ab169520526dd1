import { type Condition, defined, formatTime } from "@kindling/kube-objects";
import { type Api, conflict, updateObject, type WriteContext } from "@kindling/api-server";
import type { Pod } from "../objects/pod.ts";

/**
 * Assigns a pod to a node.
 *
 * @throws ApiError 404 if the pod does not exist, 409 if it has a node already, is being deleted or is still gated.
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
