import { type JsonObject, isObject, type KubeObject, formatTime } from "@kindling/kube-objects";
import { resourceName } from "../operations/api.ts";
import { takeManagedFields } from "../managed-fields/client-managed-fields.ts";
import { appliedNew, appliedOver } from "../operations/apply.ts";
import type { NewObject } from "../operations/create.ts";
import { type Change, updateObject } from "../operations/update.ts";
import type { ResourceTypes } from "../resources/resource-types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { DecodeError } from "../schema/decode.ts";
import { badRequest, conflict } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import type { Exchange } from "./exchange.ts";
import { contextOf, respondStored } from "./handle-write.ts";
import { negotiate } from "./negotiate.ts";
import { patchOptions } from "./options.ts";
import { readBody } from "./read-body.ts";
import type { ResourceTarget } from "./request-target.ts";
import type { Service } from "./service.ts";

/** PATCH with a configuration that the client wants to own: server-side apply. */
export async function handleApply(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const { dryRun, force } = patchOptions(exchange, true);
  const config = await readConfiguration(exchange, type, service.api.types);
  const context = contextOf(exchange, target, dryRun);
  const patch = { config, force, time: formatTime(service.api.clock.now()) };
  const decode = (document: JsonObject): KubeObject => decodeApplied(type, document);
  const { stored, created } = updateObject(
    service.api,
    type,
    { namespace: target.namespace, name: target.name ?? "" },
    (current) => appliedOver(type, patch, current, context, decode),
    context,
    target.subresource === "" ? () => newObject(type, appliedNew(type, patch, context, decode)) : undefined,
  );
  respondStored(service, exchange, type, form, created ? 201 : 200, stored);
}

function decodeApplied(type: ResourceType, document: JsonObject): KubeObject {
  try {
    const object = type.decode(structuredClone(document), { defaults: true });
    takeManagedFields(object);
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const subject = `${type.kind} in version ${JSON.stringify(type.version)}`;
    throw badRequest(`${subject} cannot be handled as a ${type.kind}: ${error.message}`);
  }
}

function newObject(type: ResourceType, change: Change): NewObject {
  const { object, managed } = change;
  const { name, uid } = object.metadata;
  if (uid !== undefined && uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resourceName(type), name, why);
  }
  return { object, managed: managed?.entries ?? [] };
}

async function readConfiguration(exchange: Exchange, type: ResourceType, types: ResourceTypes): Promise<JsonObject> {
  const config = await parseConfiguration(await readBody(exchange));
  if (!isObject(config)) {
    const given = Array.isArray(config) ? "array" : typeof config;
    const why = `json: cannot unmarshal ${given} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  checkConfigurationKind(type, types, config);
  const metadata = isObject(config["metadata"]) ? config["metadata"] : (config["metadata"] = {});
  const mismatch = typeMismatch(type, config);
  if (mismatch !== undefined) {
    const place = `${textOf(metadata["namespace"])}/${textOf(metadata["name"])}; ${kindText(type.apiVersion, type.kind)}`;
    throw new ApiError(500, undefined, `failed to create typed patch object (${place}): ${mismatch}`);
  }
  return config;
}

// An applied configuration must fit the type before it is used, because nobody can own a misspelt field.
function typeMismatch(type: ResourceType, config: JsonObject): string | undefined {
  const unknown: string[] = [];
  try {
    type.decode(structuredClone(config), { defaults: false, onUnknownField: (path) => void unknown.push(path) });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
  return unknown[0] === undefined ? undefined : `.${unknown[0]}: field not declared in schema`;
}

function checkConfigurationKind(type: ResourceType, types: ResourceTypes, config: JsonObject): void {
  const [kind, apiVersion] = [textOf(config["kind"]), textOf(config["apiVersion"])];
  if (apiVersion.split("/").length > 2) throw badRequest("invalid object type: /, Kind=");
  const known = types.ofKind(apiVersion, kind);
  if (kind !== type.kind || known?.group !== type.group) {
    throw badRequest(`invalid object type: ${kindText(apiVersion, kind)}`);
  }
  if (apiVersion === type.apiVersion) return;
  throw badRequest(
    `Incorrect version specified in apply patch. Specified patch version: ${apiVersion}, expected: ${type.apiVersion}`,
  );
}

// A kind with its group and version as Go prints it: `/v1, Kind=Pod`, `apps/v1, Kind=Deployment`.
function kindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

async function parseConfiguration(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // It is not JSON, so it must be YAML.
  }
  const { parse } = await import("yaml");
  try {
    // Kubernetes reads YAML 1.1, in which `yes` and `y` are not strings.
    return parse(text, { version: "1.1" });
  } catch (error) {
    throw badRequest(
      `error decoding YAML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    );
  }
}
