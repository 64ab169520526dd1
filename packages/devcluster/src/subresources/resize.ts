import { jsonEqual } from "@kindling/kube-objects";
import {
  ApiError,
  DecodeError,
  forbidden,
  methodNotAllowed,
  patchedObject,
  readPatch,
  respondJson,
  type SubresourceHandler,
  updateObject,
} from "@kindling/api-server";
import type { Pod } from "../objects/pod.ts";

/** PATCH of a pod's resources, which its node applies at once: only the resources of its containers may change. */
export const podResize: SubresourceHandler = async ({ service, exchange, target }) => {
  if (exchange.method !== "PATCH") throw methodNotAllowed();
  const type = service.api.types.builtIn("pods");
  const patch = await readPatch(exchange, type);
  const { stored } = updateObject(
    service.api,
    type,
    { namespace: target.namespace ?? "", name: target.name },
    (current) => {
      const change = patchedObject(type, patch, current, (document) => {
        try {
          return type.decode(document, { defaults: true });
        } catch (error) {
          if (error instanceof DecodeError) throw new ApiError(422, "Invalid", error.message);
          throw error;
        }
      });
      if (!jsonEqual(withoutResources(change.object as Pod), withoutResources(current.object as Pod))) {
        const why = "only the resources of containers can be changed by a resize";
        throw forbidden({ group: "", resource: "pods/resize" }, target.name, why);
      }
      return { ...change, object: applied(change.object as Pod) };
    },
    { user: exchange.user, manager: exchange.fieldManager, dryRun: false, subresource: "resize" },
  );
  respondJson(exchange, 200, stored.object);
};

/** The pod as its node shows it after the resize. */
function applied(pod: Pod): Pod {
  const { containerStatuses } = pod.status;
  if (containerStatuses === undefined) return pod;
  const statuses = containerStatuses.map((status) => {
    const resources = pod.spec.containers?.find(({ name }) => name === status.name)?.resources;
    if (status.containerID === undefined || resources === undefined) return status;
    return { ...status, resources, allocatedResources: resources.requests ?? {} };
  });
  return { ...pod, status: { ...pod.status, containerStatuses: statuses } };
}

function withoutResources({ spec }: Pod): object {
  return { ...spec, containers: (spec.containers ?? []).map((container) => ({ ...container, resources: {} })) };
}
