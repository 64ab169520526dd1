import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { type Patch, type PatchKind, patchedObject } from "../operations/patch.ts";
import { updateObject } from "../operations/update.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { invalid, unsupportedPatchType } from "../status/errors.ts";
import { invalidValue } from "../status/field-error.ts";
import { ObjectError, decodeChecked } from "./decode-object.ts";
import type { Exchange } from "./exchange.ts";
import { handleApply } from "./handle-apply.ts";
import { contextOf, respondStored } from "./handle-write.ts";
import { negotiate } from "./negotiate.ts";
import { patchOptions } from "./options.ts";
import { parseJson, readBody } from "./read-body.ts";
import type { ResourceTarget } from "./request-target.ts";
import type { Service } from "./service.ts";

const APPLY = "application/apply-patch+yaml";
const KINDS: Readonly<Record<string, PatchKind>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
};

/** PATCH of an object or of its status. */
export async function handlePatch(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  checkMediaType(exchange, type);
  if (exchange.contentType === APPLY) {
    await handleApply(service, exchange, type, target);
    return;
  }
  const form = negotiate(exchange.accept);
  const { dryRun } = patchOptions(exchange, false);
  const patch = await readPatch(exchange, type);
  const { stored } = updateObject(
    service.api,
    type,
    { namespace: target.namespace, name: target.name ?? "" },
    (current) => patchedObject(type, patch, current, (document) => decodePatched(service, exchange, type, document)),
    contextOf(exchange, target, dryRun),
  );
  respondStored(service, exchange, type, form, 200, stored);
}

/**
 * Reads a patch of any kind except apply, for callers that apply it themselves (see `patchedObject`).
 *
 * @throws ApiError 415 for a kind that the type does not support, 400 for a body that is not JSON.
 */
export async function readPatch(exchange: Exchange, type: ResourceType): Promise<Patch> {
  checkMediaType(exchange, type);
  const kind = KINDS[exchange.contentType];
  if (kind === undefined) throw unsupportedPatchType();
  const text = await readBody(exchange);
  return { kind, body: parseJson(text), text };
}

function checkMediaType({ contentType }: Exchange, type: ResourceType): void {
  const accepted = [...Object.keys(KINDS).filter((name) => type.strategicPatch || KINDS[name] !== "strategic"), APPLY];
  if (!accepted.includes(contentType)) throw unsupportedPatchType(type.strategicPatch ? undefined : accepted);
}

/** Decodes the result of a patch. Errors in it have other codes and messages than errors in a body. */
function decodePatched(service: Service, exchange: Exchange, type: ResourceType, document: JsonObject): KubeObject {
  try {
    return decodeChecked(exchange, type, service.api.types, { ...document });
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw invalid("", "", "", [invalidValue("patch", JSON.stringify(document), error.message)]);
  }
}
