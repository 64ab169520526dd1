import type { KubeObject } from "@kindling/kube-objects";
import type { Store } from "@kindling/api-server";
import type { ClusterView } from "../runtime/runtime.ts";

/** The part of the store that a runtime can see. */
export function clusterView(store: Store): ClusterView {
  return {
    get: (resource, namespace, name) => store.collection(resource).get(namespace, name)?.object,
    *list(resource): Generator<KubeObject> {
      for (const { object } of store.collection(resource).list()) yield object;
    },
    follow: (listener) => store.subscribe((resource, { object }) => listener(resource, object.object)),
  };
}
