import type { Asked } from "../answers/malformed.ts";
import { checkDeleted, parseObjectAnswer, parseUnstoredAnswer, parseWrittenObject } from "../answers/object-answer.ts";
import type { KubeObject } from "../kube-object.ts";
import { kubeError } from "../errors/kube-error.ts";
import { apiVersionOf, type ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";
import type { KubeClient } from "./kube-client.ts";
import type { ApplyOptions, CallOptions, DeleteOptions, GetOptions, PatchKind, WriteOptions } from "./options.ts";
import { resourcePath, withQuery, type Address } from "./request-path.ts";

const PATCH_TYPES: Readonly<Record<PatchKind, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** JSON is YAML, and servers older than 1.33 know no other name for an applied configuration. */
const APPLY_TYPE = "application/apply-patch+yaml";

/** The calls about one object by name. */
export function objectCalls(
  transport: Transport,
  defaultNamespace: string,
): Pick<KubeClient, "get" | "create" | "apply" | "replace" | "patch" | "delete"> {
  const namespaceOf = (options: CallOptions, object?: KubeObject): string =>
    object?.metadata?.namespace ?? options.namespace ?? defaultNamespace;

  return {
    async get<T extends KubeObject>(type: ResourceType<T>, name: string, options: GetOptions = {}) {
      checkName(type, name);
      const address = { namespace: namespaceOf(options), name, subresource: options.subresource };
      const path = withQuery(resourcePath(type, address), { resourceVersion: options.resourceVersion });
      const request = { method: "GET", path, ...limits(options), repeatable: "always" } as const;
      const text = await transport.send(request);
      if (options.subresource !== undefined) return parseUnstoredAnswer(request, text, { type: undefined, name }) as T;
      return parseObjectAnswer(request, text, { type, ...address }) as T;
    },

    async create<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: WriteOptions = {}) {
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
      // What has no name, and asks for none, is a question and not stored: a review.
      const { name: asked, generateName } = object.metadata ?? {};
      const isReview = options.subresource === undefined && (asked ?? generateName) === undefined;
      if (isReview) return parseUnstoredAnswer(request, text, { type }) as T;
      return written(request, text, type, { ...address, name: asked }) as T;
    },

    async apply<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: ApplyOptions) {
      const address = {
        namespace: namespaceOf(options, object),
        name: nameOf(type, object),
        subresource: options.subresource,
      };
      const { fieldManager, force } = options;
      const path = withQuery(resourcePath(type, address), { fieldManager, force, ...writeQuery(options) });
      const body = bodyOf(type, object, options);
      const request = {
        method: "PATCH",
        path,
        body,
        contentType: APPLY_TYPE,
        ...limits(options),
        repeatable: "always",
      } as const;
      return written(request, await transport.send(request), type, address) as T;
    },

    async replace<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: WriteOptions = {}) {
      const address = {
        namespace: namespaceOf(options, object),
        name: nameOf(type, object),
        subresource: options.subresource,
      };
      const path = withQuery(resourcePath(type, address), writeQuery(options));
      const request = {
        method: "PUT",
        path,
        body: bodyOf(type, object, options),
        ...limits(options),
        repeatable: "always",
      } as const;
      return written(request, await transport.send(request), type, address) as T;
    },

    async patch<T extends KubeObject>(
      type: ResourceType<T>,
      name: string,
      kind: PatchKind,
      patch: unknown,
      options: WriteOptions = {},
    ) {
      checkName(type, name);
      const address = { namespace: namespaceOf(options), name, subresource: options.subresource };
      const path = withQuery(resourcePath(type, address), writeQuery(options));
      const body = JSON.stringify(patch);
      // A JSON patch may append to a list or test a value that its own first run has changed.
      const repeatable = kind === "json" ? "unless-done" : "always";
      const request = {
        method: "PATCH",
        path,
        body,
        contentType: PATCH_TYPES[kind],
        ...limits(options),
        repeatable,
      } as const;
      return written(request, await transport.send(request), type, address) as T;
    },

    async delete(type, name, options = {}) {
      checkName(type, name);
      const path = resourcePath(type, { namespace: namespaceOf(options), name });
      const body = deleteBody(options);
      const request = { method: "DELETE", path, body, ...limits(options), repeatable: "always" } as const;
      checkDeleted(request, await transport.send(request), type, name);
    },
  };
}

/** The object that a write has made or changed; of a part of one, whatever the server says about it. */
function written(request: Asked, text: string, type: ResourceType, address: Address): KubeObject {
  const { name, namespace, subresource } = address;
  if (subresource !== undefined) return parseUnstoredAnswer(request, text, { type: undefined, name });
  return parseWrittenObject(request, text, { type, name, namespace });
}

export function limits(options: CallOptions): Pick<CallOptions, "signal" | "timeoutMs"> {
  return { signal: options.signal, timeoutMs: options.timeoutMs };
}

/** `DeleteOptions` of meta/v1. */
export function deleteBody(options: DeleteOptions): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "DeleteOptions",
    gracePeriodSeconds: options.gracePeriodSeconds,
    propagationPolicy: options.propagationPolicy,
    preconditions: options.preconditions,
    dryRun: options.dryRun === true ? ["All"] : undefined,
  });
}

function writeQuery(options: WriteOptions): Record<string, string | undefined> {
  return {
    fieldManager: options.fieldManager,
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldValidation: options.fieldValidation,
  };
}

/** The server insists on both names; objects from lists lack them. A subresource's object has names of its own. */
function bodyOf(type: ResourceType, object: KubeObject, options: WriteOptions): string {
  const isNamed = object.apiVersion !== undefined && object.kind !== undefined;
  if (isNamed || options.subresource !== undefined) return JSON.stringify(object);
  return JSON.stringify({ apiVersion: apiVersionOf(type), kind: type.kind, ...object });
}

function nameOf(type: ResourceType, object: KubeObject): string {
  const name = object.metadata?.name;
  checkName(type, name ?? "");
  return name ?? "";
}

/** An empty name would address the whole collection: a delete of it must never leave this machine. */
function checkName(type: ResourceType, name: string): void {
  if (name !== "") return;
  throw kubeError({ kind: "config", file: undefined }, `a ${type.kind} without a name cannot be addressed`);
}
