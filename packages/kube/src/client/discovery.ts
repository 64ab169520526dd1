import { isNotFound } from "../errors/status.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { ResourceType } from "../resource-type.ts";
import { knownResource } from "../resources.ts";
import type { KubeClient, RawRequest } from "./kube-client.ts";

/** `APIResourceList` of meta/v1. */
interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Finds resource types, asking the server at most once about a group's version. */
export function discovery(request: <T>(request: RawRequest) => Promise<T>): KubeClient["resourceFor"] {
  const lists = new Map<string, Promise<ResourceList>>();

  function listOf(path: string, options: Pick<RawRequest, "signal" | "timeoutMs">): Promise<ResourceList> {
    const known = lists.get(path);
    if (known !== undefined) return known;
    const asked = request<ResourceList>({ method: "GET", path, ...options });
    lists.set(path, asked);
    // A fault must not be remembered, nor the caller's signal.
    asked.catch(() => lists.delete(path));
    return asked;
  }

  return async (apiVersion, kind, { signal, timeoutMs } = {}) => {
    const known = knownResource(apiVersion, kind);
    if (known !== undefined) return known;
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let list: ResourceList;
    try {
      list = await listOf(path, { signal, timeoutMs });
    } catch (error) {
      throw isNotFound(error) ? unknownKind(path, apiVersion, kind, error) : error;
    }
    // Subresources stand in the list as "pods/status".
    const found = list.resources?.find((resource) => resource.kind === kind && !resource.name.includes("/"));
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
