import type { KubeObject } from "@kindling/kube-objects";
import { type Api, createApi, defineResource, type ResourceType } from "@kindling/api-server";
import type { Outside } from "@kindling/outside";
import { textAt } from "../json/fields.ts";

/** The resources that drivers see. Objects may contain anything: the real API server validates them. */
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

/** What containers of pods use. Not kept in a view, because a driver asks only once a minute (Spark, ExecutorResizePlugin). */
export const USAGE: ResourceType = defineResource({
  group: "metrics.k8s.io",
  version: "v1beta1",
  kind: "PodMetrics",
  plural: "pods",
  verbs: ["get"],
});

/** Sets of executors. They are not kept in a view: drivers ask for them so rarely that the cluster can be asked. */
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
// A pod has 5 to 10 KiB, so this is enough for a client that is slow for a moment.
const LONGEST_HISTORY = { events: 1_000, bytes: 4 * MEBIBYTE };
const SHORTEST_HISTORY = MEBIBYTE / 32;
/** A client that is away for longer than this (at most four times as long) gets all objects again. */
const OLDEST_HISTORY_MS = 15_000;
/** The share of an application's remaining memory that its history may take. */
const HISTORY_PART = 1 / 4;

/**
 * An empty store of one application. Its revisions begin with the time in microseconds, so that they keep growing when a new
 * gateway starts. A watch from before then gets all objects as events, and not a 410, which would end Spark's watch for good.
 *
 * @param memory how many more bytes the application may take: if there are few, the history is shortened
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
 * Shortens the history over time: after a burst of changes, what all watches have read is as large as the objects themselves.
 *
 * @returns a function that stops this: a running timer would keep the process alive
 */
export function ageHistory({ store }: Api, { clock, random }: Pick<Outside, "clock" | "random">): () => void {
  let cancel: (() => void) | undefined;
  // The random part spreads applications that started together.
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
