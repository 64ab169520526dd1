import type { Namespace } from "../objects/core.ts";
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  ApiError,
  forbidden,
  notFound,
  type Store,
} from "@kindling/api-server";

const PERMANENT = new Set(["default", "kube-system", "kube-public"]);

/** Refuses new objects in namespaces that do not exist or are being deleted. */
export function namespaceLifecycle(store: Store): AdmissionPlugin {
  return {
    admit(request) {
      const { operation, type, namespace, name } = request;
      if (type.plural === "namespaces" && type.group === "") {
        if (operation === "delete" && PERMANENT.has(name)) {
          throw forbidden({ group: "", resource: "namespaces" }, name, "this namespace may not be deleted");
        }
        return;
      }
      if (operation !== "create" || namespace === undefined) return;
      const found = store.collection("namespaces").get(undefined, namespace)?.object as Namespace | undefined;
      if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      if (found.status.phase === "Terminating") throw terminating(request, namespace);
    },
  };
}

function terminating({ type, object }: AdmissionRequest, namespace: string): ApiError {
  const resource = { group: type.group, resource: type.plural };
  const name = object?.metadata.name ?? "";
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbidden(resource, name, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  return new ApiError(403, "Forbidden", status.message ?? why, { ...status.details, causes: [cause] });
}
