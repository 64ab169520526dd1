import { formatTime, type JsonObject } from "@kindling/kube-objects";
import { type ServiceAccountTokens, ISSUER, type BoundObject } from "../auth/service-account-tokens.ts";
import {
  type Api,
  collectionOf,
  conflict,
  decode,
  type FieldError,
  invalid,
  invalidValue,
  methodNotAllowed,
  notFound,
  resourceName,
  respondJson,
  type Schema,
  structOf,
  type SubresourceHandler,
} from "@kindling/api-server";
import { readReview } from "../reviews/read-review.ts";

interface Spec {
  readonly audiences: readonly string[] | null;
  readonly expirationSeconds: number;
  readonly boundObjectRef?: null | { readonly kind?: string; readonly name?: string; readonly uid?: string };
}

/** POST of a TokenRequest to a service account. */
export function tokenRequest(schema: Schema, tokens: ServiceAccountTokens): SubresourceHandler {
  const type = structOf(schema, "TokenRequest");
  return async ({ service, exchange, type: accounts, target }) => {
    if (exchange.method !== "POST") throw methodNotAllowed();
    const request = await readReview(exchange, type, "authentication.k8s.io/v1");
    const account = collectionOf(service.api, accounts).get(target.namespace, target.name)?.object;
    if (account === undefined) throw notFound(resourceName(accounts), target.name);
    const spec = request["spec"] as unknown as Spec;
    checkSpec(spec);
    const audiences = spec.audiences === null || spec.audiences.length === 0 ? [ISSUER] : [...spec.audiences];
    const { token, expires } = tokens.issue({
      account,
      audiences,
      expirationSeconds: spec.expirationSeconds,
      bound: boundObject(service.api, target.namespace, spec),
    });
    const metadata = {
      name: account.metadata.name,
      namespace: account.metadata.namespace,
      creationTimestamp: formatTime(service.api.clock.now()),
    };
    const answer: JsonObject = {
      ...request,
      metadata,
      spec: { ...(request["spec"] as JsonObject), audiences },
      status: { token, expirationTimestamp: formatTime(expires) },
    };
    respondJson(exchange, 201, decode(type, answer, { defaults: false }));
  };
}

function checkSpec({ expirationSeconds: seconds }: Spec): void {
  const errors: FieldError[] = [];
  const path = "spec.expirationSeconds";
  if (seconds < 600) errors.push(invalidValue(path, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > 2 ** 32)
    errors.push(invalidValue(path, seconds, "may not specify a duration larger than 2^32 seconds"));
  if (errors.length > 0) throw invalid("authentication.k8s.io", "TokenRequest", "", errors);
}

function boundObject(
  api: Api,
  namespace: string | undefined,
  { boundObjectRef: reference }: Spec,
): BoundObject | undefined {
  if (reference === undefined || reference === null) return undefined;
  const { kind, name = "", uid = "" } = reference;
  if (kind !== "Pod" && kind !== "Secret") {
    const why = `cannot bind token for serviceaccount to object of kind ${JSON.stringify(kind ?? "")}`;
    throw invalid("authentication.k8s.io", "TokenRequest", "", [
      invalidValue("spec.boundObjectRef.kind", kind ?? "", why),
    ]);
  }
  const resource = kind === "Pod" ? "pods" : "secrets";
  const found = api.store.collection(resource).get(namespace, name)?.object;
  if (found === undefined) throw notFound({ group: "", resource }, name);
  if (uid !== "" && uid !== found.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", resource }, name, why);
  }
  return { kind, name, uid: found.metadata.uid };
}
