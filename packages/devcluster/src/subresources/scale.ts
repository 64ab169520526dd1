import { isObject, type JsonObject } from "@kindling/kube-objects";
import {
  applyJsonPatch,
  applyMergePatch,
  badRequest,
  contextOf,
  decode,
  editable,
  findObject,
  invalid,
  invalidValue,
  methodNotAllowed,
  notFound,
  parseJson,
  parseJsonPatch,
  readBody,
  resourceName,
  respondJson,
  type Schema,
  structOf,
  type SubresourceHandler,
  type SubresourceRequest,
  unsupportedPatchType,
  updateObject,
} from "@kindling/api-server";
import type { Workload } from "../objects/apps.ts";
import { selectorText } from "../objects/selector-text.ts";

/** GET, PUT and PATCH of a workload's Scale. */
export function workloadScale(schema: Schema): SubresourceHandler {
  const scaleType = structOf(schema, "Scale");
  const scaleOf = (workload: Workload): JsonObject => decode(scaleType, scaleContent(workload), { defaults: false });
  return async (request) => {
    const { service, exchange, type, target } = request;
    const current = findObject(service.api, type, target.namespace, target.name);
    if (current === undefined) throw notFound(resourceName(type), target.name);
    const scale = scaleOf(current.object as Workload);
    switch (exchange.method) {
      case "GET":
        respondJson(exchange, 200, scale);
        return;
      case "PUT":
        respondJson(exchange, 200, scaleOf(write(request, parseScale(await readBody(exchange)))));
        return;
      case "PATCH":
        respondJson(exchange, 200, scaleOf(write(request, await patchScale(request, scale))));
        return;
      default:
        throw methodNotAllowed();
    }
  };
}

function write({ service, exchange, type, target }: SubresourceRequest, wanted: JsonObject): Workload {
  const spec = isObject(wanted["spec"]) ? wanted["spec"] : {};
  const metadata = isObject(wanted["metadata"]) ? wanted["metadata"] : {};
  const replicas = spec["replicas"] ?? 0;
  if (typeof replicas !== "number" || !Number.isInteger(replicas))
    throw badRequest("spec.replicas is not a whole number");
  if (replicas < 0) {
    const error = invalidValue("spec.replicas", replicas, "must be greater than or equal to 0");
    throw invalid("autoscaling", "Scale", target.name, [error]);
  }
  const version = metadata["resourceVersion"];
  const { stored } = updateObject(
    service.api,
    type,
    { namespace: target.namespace, name: target.name },
    ({ object }) => {
      const current = object as Workload;
      const next = { ...editable(current), spec: { ...current.spec, replicas } };
      if (typeof version === "string" && version !== "") next.metadata.resourceVersion = version;
      return { object: next };
    },
    contextOf(exchange, target, exchange.query.getAll("dryRun").includes("All")),
  );
  return stored.object as Workload;
}

function scaleContent({ metadata, spec, status }: Workload): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const selector = selectorText(spec.selector ?? {});
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec.replicas ?? 0 },
    status: { replicas: status.replicas ?? 0, ...(selector === "" ? {} : { selector }) },
  };
}

function parseScale(text: string): JsonObject {
  const body = parseJson(text);
  if (!isObject(body)) throw badRequest("the object provided is unrecognized (must be of type Scale)");
  return body;
}

async function patchScale({ exchange }: SubresourceRequest, current: JsonObject): Promise<JsonObject> {
  const body = parseJson(await readBody(exchange));
  if (exchange.contentType === "application/json-patch+json") {
    const patched = applyJsonPatch(current, parseJsonPatch(body));
    return isObject(patched) ? patched : {};
  }
  const merge = [
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
  ];
  if (!merge.includes(exchange.contentType)) throw unsupportedPatchType();
  return isObject(body) ? applyMergePatch(current, body) : current;
}
