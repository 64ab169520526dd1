import { isObject, type Json } from "@kindling/kube-objects";
import {
  amountToNumber,
  badRequest,
  forbidden,
  notFound,
  parseAmount,
  parseJson,
  readBody,
  respondJson,
  unsupportedPatchType,
  writeOptions,
} from "@kindling/api-server";
import { textAt } from "../../json/fields.ts";
import { forward } from "../../cluster/forward.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { DriverRequest } from "./driver-request.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { type Named, namesNothingElse, readQuantity, STRATEGIC } from "./resize-patch.ts";

const CLAIMS = { group: "", resource: "persistentvolumeclaims" };

/**
 * PATCH of a claim, as Spark's ExecutorPVCResizePlugin (since 4.2) sends it: more storage, and nothing else. The API server
 * says whether the storage class and the quota allow it. After a refusal the plug-in leaves that claim alone.
 */
export async function growClaim({ client }: GatewayContext, request: DriverRequest): Promise<void> {
  const { exchange, target, application } = request;
  const { name = "", namespace = "" } = target;
  if (writeOptions(exchange, "PatchOptions").dryRun) throw badRequest("the gateway offers no dry runs");
  if (exchange.contentType !== STRATEGIC) throw unsupportedPatchType([STRATEGIC]);
  const patch = parseJson(await readBody(exchange));
  const refuse = (why: string): Error => forbidden(CLAIMS, name, why);
  const { claims } = application;
  const [entry, shown] = [claims.get(name), claims.shown(name)?.object];
  if (entry === undefined || shown === undefined) throw notFound(CLAIMS, name);
  if (entry.state.kind !== "real") throw refuse("it is not in the cluster yet");
  const storage = storageOf(patch, { name, namespace });
  if (storage === undefined) throw refuse("a driver may change only spec.resources.requests.storage of its claims");
  const now = bytes(textAt(shown, "spec", "resources", "requests", "storage") ?? "0") ?? 0;
  const asked = bytes(storage);
  if (asked === undefined || asked < now) throw refuse("its storage can only grow");
  // With the uid the API server refuses to touch another claim of the name.
  const body = { metadata: { uid: entry.state.uid }, spec: { resources: { requests: { storage } } } };
  const type = UPSTREAM.persistentvolumeclaims;
  const answer = await forward(() => client.patch(type, name, "merge", body, { namespace }));
  claims.seen(withoutManagedFields(answer));
  respondJson(exchange, 200, claims.shown(name)?.object ?? shown);
}

/** The requested storage, if the patch asks for nothing else. */
function storageOf(patch: Json, claim: Named): string | undefined {
  if (!isObject(patch)) return undefined;
  const { apiVersion: _version, kind: _kind, metadata = {}, ...rest } = patch;
  const amount = ["spec", "resources", "requests", "storage"].reduce<Json | undefined>(onlyMember, rest);
  return namesNothingElse(metadata, claim) ? readQuantity(amount) : undefined;
}

function onlyMember(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.keys(value).length === 1 ? value[name] : undefined;
}

function bytes(text: string): number | undefined {
  const amount = parseAmount(text);
  return amount && amountToNumber(amount);
}
