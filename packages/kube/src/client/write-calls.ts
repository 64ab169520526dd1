import { type KubeObjectLike, apiVersionOf } from "@kindling/kube-objects";
import type { Asked } from "../answers/malformed.ts";
import { parseUnstoredAnswer, parseWrittenObject } from "../answers/object-answer.ts";
import type { ResourceType } from "../resource-type.ts";
import type { TransportRequest } from "../transport/transport-request.ts";
import type { Transport } from "../transport/transport.ts";
import { limits } from "./call-limits.ts";
import type { KubeClient } from "./kube-client.ts";
import { checkName, nameOf } from "./object-name.ts";
import type { ApplyOptions, CallOptions, PatchKind, WriteOptions } from "./options.ts";
import { resourcePath, withQuery, type Address } from "./request-path.ts";

const PATCH_TYPES: Readonly<Record<PatchKind, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** JSON is YAML, and servers older than 1.33 know no other name for an applied configuration. */
const APPLY_TYPE = "application/apply-patch+yaml";

/** The calls that make or change one object; `namespaceOf` tells where it is. */
export function writeCalls(
  transport: Transport,
  namespaceOf: (options: CallOptions, object?: KubeObjectLike) => string,
): Pick<KubeClient, "create" | "apply" | "replace" | "patch"> {
  const addressOf = (type: ResourceType, object: KubeObjectLike, options: WriteOptions): Address => ({
    namespace: namespaceOf(options, object),
    name: nameOf(type, object),
    subresource: options.subresource,
  });

  return {
    async create<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options: WriteOptions = {}) {
      // Only subresources, such as a pod's eviction, are created under a name.
      const name = options.subresource === undefined ? undefined : nameOf(type, object);
      const address = { namespace: namespaceOf(options, object), name, subresource: options.subresource };
      const path = withQuery(resourcePath(type, address), writeQuery(options));
      const request = {
        method: "POST",
        path,
        body: bodyOf(type, object, options),
        ...limits(options),
        repeatable: "unless-done",
      } as const;
      const text = await transport.send(request);
      // An object without a name or `generateName` is not stored: it is a review.
      const { name: asked, generateName } = object.metadata ?? {};
      const isReview = options.subresource === undefined && (asked ?? generateName) === undefined;
      if (isReview) return parseUnstoredAnswer(request, text, { type }) as T;
      return written(request, text, type, { ...address, name: asked }) as T;
    },

    async apply<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options: ApplyOptions) {
      const { fieldManager, force } = options;
      const change = { method: "PATCH", body: bodyOf(type, object, options), contentType: APPLY_TYPE } as const;
      const query = { fieldManager, force };
      return (await write(transport, type, addressOf(type, object, options), options, change, query)) as T;
    },

    async replace<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options: WriteOptions = {}) {
      const change = { method: "PUT", body: bodyOf(type, object, options) } as const;
      return (await write(transport, type, addressOf(type, object, options), options, change)) as T;
    },

    async patch<T extends KubeObjectLike>(
      type: ResourceType<T>,
      name: string,
      kind: PatchKind,
      patch: unknown,
      options: WriteOptions = {},
    ) {
      checkName(type, name);
      const address = { namespace: namespaceOf(options), name, subresource: options.subresource };
      // A JSON patch may append to a list or test a value that its own first run has changed.
      const repeatable = kind === "json" ? "unless-done" : "always";
      const change = {
        method: "PATCH",
        body: JSON.stringify(patch),
        contentType: PATCH_TYPES[kind],
        repeatable,
      } as const;
      return (await write(transport, type, address, options, change)) as T;
    },
  };
}

/** How an existing object is changed; usually a repetition does no harm. */
type Change = Pick<TransportRequest, "method" | "body" | "contentType"> & Partial<Pick<TransportRequest, "repeatable">>;

async function write(
  transport: Transport,
  type: ResourceType,
  address: Address,
  options: WriteOptions,
  change: Change,
  query: Readonly<Record<string, string | boolean | undefined>> = {},
): Promise<KubeObjectLike> {
  const path = withQuery(resourcePath(type, address), { ...query, ...writeQuery(options) });
  const request = { path, repeatable: "always", ...change, ...limits(options) } as const;
  return written(request, await transport.send(request), type, address);
}

/** The object that a write has created or changed; for a subresource, the answer of the server. */
function written(request: Asked, text: string, type: ResourceType, address: Address): KubeObjectLike {
  const { name, namespace, subresource } = address;
  if (subresource !== undefined) return parseUnstoredAnswer(request, text, { type: undefined, name });
  return parseWrittenObject(request, text, { type, name, namespace });
}

function writeQuery(options: WriteOptions): Record<string, string | undefined> {
  return {
    fieldManager: options.fieldManager,
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldValidation: options.fieldValidation,
  };
}

/** The server insists on both names; objects from lists lack them. A subresource's object has names of its own. */
function bodyOf(type: ResourceType, object: KubeObjectLike, options: WriteOptions): string {
  const isNamed = object.apiVersion !== undefined && object.kind !== undefined;
  if (isNamed || options.subresource !== undefined) return JSON.stringify(object);
  return JSON.stringify({ apiVersion: apiVersionOf(type), kind: type.kind, ...object });
}
