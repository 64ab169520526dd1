import { parseResourceList, type DiscoveredResource } from "../answers/resource-list.ts";
import { isNotFound } from "../errors/status.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { ResourceType } from "../resource-type.ts";
import { knownResource } from "../resources.ts";
import type { Transport } from "../transport/transport.ts";
import type { KubeClient } from "./kube-client.ts";
import { limits } from "./call-limits.ts";
import type { CallOptions } from "./options.ts";

/** Finds resource types, asking the server at most once about a group's version. */
export function discovery(transport: Transport): KubeClient["resourceFor"] {
  const lists = new Map<string, Promise<readonly DiscoveredResource[]>>();

  async function ask(path: string, apiVersion: string, options: CallOptions): Promise<readonly DiscoveredResource[]> {
    const request = { method: "GET", path, ...limits(options), repeatable: "always" } as const;
    return parseResourceList(request, await transport.send(request), apiVersion);
  }

  function listOf(path: string, apiVersion: string, options: CallOptions): Promise<readonly DiscoveredResource[]> {
    const known = lists.get(path);
    if (known !== undefined) return known;
    const asked = ask(path, apiVersion, options);
    lists.set(path, asked);
    // A fault must not be remembered, and neither must the caller's signal.
    asked.catch(() => lists.delete(path));
    return asked;
  }

  return async (apiVersion, kind, options = {}) => {
    const known = knownResource(apiVersion, kind);
    if (known !== undefined) return known;
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let list: readonly DiscoveredResource[];
    try {
      list = await listOf(path, apiVersion, options);
    } catch (error) {
      throw isNotFound(error) ? unknownKind(path, apiVersion, kind, error) : error;
    }
    // Subresources are in the list as "pods/status".
    const found = list.find((resource) => resource.kind === kind && !resource.name.includes("/"));
    if (found === undefined) {
      lists.delete(path);
      throw unknownKind(path, apiVersion, kind);
    }
    const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    return { group, version, plural: found.name, kind, namespaced: found.namespaced } satisfies ResourceType;
  };
}

function unknownKind(path: string, apiVersion: string, kind: string, cause?: unknown): Error {
  const serverMessage = `the API server knows no kind "${kind}" in ${apiVersion}`;
  return kubeError(
    { kind: "status", status: 404, reason: "NotFound", serverMessage, causes: [], retryAfterSeconds: undefined },
    `GET ${path}: ${serverMessage}`,
    { method: "GET", path, attempts: 1, hint: "install its CustomResourceDefinition, or check the spelling", cause },
  );
}
