import type { KubeObject } from "@kindling/kube-objects";
import { type Api, createApi, defineResource, type ResourceType } from "@kindling/api-server";
import type { Outside } from "@kindling/outside";
import { textAt } from "../json/fields.ts";

/** The resources that drivers are shown. Objects may hold anything: whether they are right, the real API server says. */
export const PODS: ResourceType = defineResource({
  kind: "Pod",
  shortNames: ["po"],
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "watch"],
  subresources: [{ name: "resize", verbs: ["patch"] }],
  rules: { returnsDeleted: true, selectableFields: podFields },
});
export const CONFIG_MAPS: ResourceType = defineResource({
  kind: "ConfigMap",
  verbs: ["create", "delete", "deletecollection", "get", "list"],
});
export const CLAIMS: ResourceType = defineResource({
  kind: "PersistentVolumeClaim",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "watch"],
  rules: { returnsDeleted: true },
});
export const SERVICES: ResourceType = defineResource({
  kind: "Service",
  verbs: ["deletecollection"],
  rules: { returnsDeleted: true },
});

/** What containers of pods use. It is not kept in a view: a driver asks once a minute (Spark, ExecutorResizePlugin). */
export const USAGE: ResourceType = defineResource({
  group: "metrics.k8s.io",
  version: "v1beta1",
  kind: "PodMetrics",
  plural: "pods",
  verbs: ["get"],
});

/** Sets of executors: none is kept in a view, since a driver asks for its own so seldom that the cluster can be asked. */
const SETS: readonly ResourceType[] = ["StatefulSet", "Deployment"].map((kind) =>
  defineResource({
    group: "apps",
    kind,
    verbs: ["create", "delete", "get"],
    subresources: [
      {
        name: "scale",
        kind: { group: "autoscaling", version: "v1", kind: "Scale" },
        verbs: ["get", "update"],
      },
    ],
  }),
);

/** The resources that drivers may use, with the verbs that they may use. */
export const DRIVER_RESOURCES: readonly ResourceType[] = [PODS, CONFIG_MAPS, CLAIMS, SERVICES, USAGE, ...SETS];

const MEBIBYTE = 1024 * 1024;
// Of 5 to 10 KiB a pod: enough for a client that is slow for moments.
const LONGEST_HISTORY = { events: 1_000, bytes: 4 * MEBIBYTE };
const SHORTEST_HISTORY = MEBIBYTE / 32;
/** Whoever is away for longer than this, or four times as long at most, gets all objects anew. */
const OLDEST_HISTORY_MS = 15_000;
/** The part of what an application may still take that its history may have. */
const HISTORY_PART = 1 / 4;

/**
 * An empty store of one application. Its revisions begin with the time in microseconds, so that they go on growing when
 * the gateway starts anew: a watch that was open before gets all objects as events, and no 410, which would end Spark's
 * watch for good.
 *
 * @param memory how many bytes more the application may take: the history gives way where they are few
 */
export function createView(
  { clock, random }: Pick<Outside, "clock" | "random">,
  memory: { readonly room: number } = { room: Infinity },
): Api {
  const history = {
    events: LONGEST_HISTORY.events,
    get bytes() {
      return Math.min(LONGEST_HISTORY.bytes, Math.max(SHORTEST_HISTORY, memory.room * HISTORY_PART));
    },
  };
  return createApi({
    resources: DRIVER_RESOURCES,
    history,
    firstRevision: clock.now() * 1000,
    clock,
    random,
  });
}

/**
 * What has been read by all is not kept for long: after a burst of changes it is as much as the objects themselves.
 *
 * @returns ends that: a timer that is left keeps the process alive
 */
export function ageHistory({ store }: Api, { clock, random }: Pick<Outside, "clock" | "random">): () => void {
  let cancel: (() => void) | undefined;
  // Not all applications that began together at the same moment.
  const wait = (): (() => void) => clock.after(OLDEST_HISTORY_MS * (1 + random.fraction()), age);
  const age = (): void => {
    cancel = store.age() ? wait() : undefined;
  };
  const unsubscribe = store.subscribe(() => (cancel ??= wait()));
  return () => {
    unsubscribe();
    cancel?.();
  };
}

// The field selectors of pods that Kubernetes 1.34 knows (pkg/apis/core/v1/conversion.go).
function podFields(pod: KubeObject): Record<string, string> {
  return {
    "spec.nodeName": textAt(pod, "spec", "nodeName") ?? "",
    "spec.restartPolicy": textAt(pod, "spec", "restartPolicy") ?? "",
    "spec.schedulerName": textAt(pod, "spec", "schedulerName") ?? "",
    "spec.serviceAccountName": textAt(pod, "spec", "serviceAccountName") ?? "",
    "status.phase": textAt(pod, "status", "phase") ?? "",
    "status.podIP": textAt(pod, "status", "podIP") ?? "",
    "status.nominatedNodeName": textAt(pod, "status", "nominatedNodeName") ?? "",
  };
}
