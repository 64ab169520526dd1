import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { KubeObject } from "../../objects/object.ts";
import { editable, resourceName, collectionOf } from "../api.ts";
import { updateObject } from "../operations/update.ts";
import { applyJsonPatch, parseJsonPatch } from "../patch/json-patch.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { decode } from "../schema/decode.ts";
import { type Schema, structOf } from "../schema/types.ts";
import { contextOf } from "../routes/handle-write.ts";
import { parseJson, readBody } from "../routes/read-body.ts";
import { respondJson } from "../routes/respond.ts";
import type { SubresourceHandler, SubresourceRequest } from "../routes/service.ts";
import { badRequest, invalid, methodNotAllowed, notFound, unsupportedPatchType } from "../status/errors.ts";
import { invalidValue } from "../validation/field-error.ts";

/** Where a resource keeps what a Scale shows. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** The selector as text. */
  readonly selector: (object: KubeObject) => string;
}

/** GET, PUT and PATCH of a Scale. */
export function scale(schema: Schema, paths: ScalePaths): SubresourceHandler {
  const scaleType = structOf(schema, "Scale");
  const scaleOf = (object: KubeObject): JsonObject =>
    decode(scaleType, scaleContent(object, paths), { defaults: false });
  return async (request) => {
    const { service, exchange, type, target } = request;
    const current = collectionOf(service.api, type).get(target.namespace, target.name);
    if (current === undefined) throw notFound(resourceName(type), target.name);
    switch (exchange.method) {
      case "GET":
        respondJson(exchange, 200, scaleOf(current.object));
        return;
      case "PUT":
        respondJson(exchange, 200, scaleOf(write(request, paths, parseScale(await readBody(exchange)))));
        return;
      case "PATCH":
        respondJson(exchange, 200, scaleOf(write(request, paths, await patchScale(request, scaleOf(current.object)))));
        return;
      default:
        throw methodNotAllowed();
    }
  };
}

function write(
  { service, exchange, type, target }: SubresourceRequest,
  paths: ScalePaths,
  wanted: JsonObject,
): KubeObject {
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
      const next = setAt(editable(object), paths.specReplicas, replicas);
      if (typeof version === "string" && version !== "") next.metadata.resourceVersion = version;
      return { object: next };
    },
    contextOf(exchange, target, exchange.query.getAll("dryRun").includes("All")),
  );
  return stored.object;
}

function scaleContent(object: KubeObject, paths: ScalePaths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, paths.specReplicas) },
    status: { replicas: numberAt(object, paths.statusReplicas), ...(selector === "" ? {} : { selector }) },
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

function numberAt(object: JsonObject, path: readonly string[]): number {
  let value: Json | undefined = object;
  for (const part of path) value = isObject(value) ? value[part] : undefined;
  return typeof value === "number" ? value : 0;
}

function setAt<T extends JsonObject>(object: T, path: readonly string[], value: Json): T {
  const [first = "", ...rest] = path;
  if (rest.length === 0) return { ...object, [first]: value };
  const inner = object[first];
  return { ...object, [first]: setAt(isObject(inner) ? inner : {}, rest, value) };
}
