import type { KubeObjectLike } from "@kindling/kube-objects";
import { checkDeleted, parseObjectAnswer, parseUnstoredAnswer } from "../answers/object-answer.ts";
import type { ResourceType } from "../resource-type.ts";
import type { Transport } from "../transport/transport.ts";
import { limits } from "./call-limits.ts";
import type { KubeClient } from "./kube-client.ts";
import { checkName } from "./object-name.ts";
import type { CallOptions, DeleteOptions, GetOptions } from "./options.ts";
import { resourcePath, withQuery } from "./request-path.ts";
import { writeCalls } from "./write-calls.ts";

/** The calls about one object by name. */
export function objectCalls(
  transport: Transport,
  defaultNamespace: string,
): Pick<KubeClient, "get" | "create" | "apply" | "replace" | "patch" | "delete"> {
  const namespaceOf = (options: CallOptions, object?: KubeObjectLike): string =>
    object?.metadata?.namespace ?? options.namespace ?? defaultNamespace;

  return {
    ...writeCalls(transport, namespaceOf),

    async get<T extends KubeObjectLike>(type: ResourceType<T>, name: string, options: GetOptions = {}) {
      checkName(type, name);
      const address = { namespace: namespaceOf(options), name, subresource: options.subresource };
      const path = withQuery(resourcePath(type, address), { resourceVersion: options.resourceVersion });
      const request = { method: "GET", path, ...limits(options), repeatable: "always" } as const;
      const text = await transport.send(request);
      if (options.subresource !== undefined) return parseUnstoredAnswer(request, text, { type: undefined, name }) as T;
      return parseObjectAnswer(request, text, { type, ...address }) as T;
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
