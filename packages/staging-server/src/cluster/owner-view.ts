import { type Cache, startCache } from "@kindling/controller";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { KubeClient, ListLimits } from "@kindling/kube";
import { systemClock, systemRandom } from "@kindling/outside";
import type { OwnerState } from "@kindling/staging-client";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import type { OwnerType } from "./owner-type.ts";
import { isOwner, seenObject, stateOf, type SeenObject } from "./seen-object.ts";

/** What one watch shows, of one type in one namespace. */
export interface OwnerView {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
  /** Whether its watch has to show an object. */
  selects(object: SeenObject): boolean;
  /** Resolves when it has seen everything once; rejects when it is stopped before that. */
  readonly synced: Promise<void>;
  /** What the view shows; `unknown` while it is not known to be current (see `Reflector.isCurrent`). */
  state(subject: BundleOwner): OwnerState;
  /** The objects that own a bundle, as far as the view shows them. */
  ownersOf(subject: BundleOwner): SeenObject[];
  /** Whether the API server refuses to list, for lack of rights or of the namespace. */
  readonly isRefused: boolean;
  /**
   * Whether the namespace is known to be gone: if its list is refused, only a request for the namespace itself tells this
   * from a lack of rights. Forgotten as soon as it can be listed.
   */
  readonly isNamespaceGone: boolean;
  noteNamespace(isGone: boolean): void;
  stop(): Promise<void>;
}

export interface OwnerViewOptions {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** How long one question to the API server may take. */
export const QUESTION_TIMEOUT_MS = 10_000;

/** How many complete pods of a namespace are in memory at a time. */
export const PAGE_SIZE = 250;
export const LIST_LIMITS: Partial<ListLimits> = { items: 200_000, pageBytes: 64 * 1024 * 1024 };

export function ownerView(client: KubeClient, options: OwnerViewOptions): OwnerView {
  const { namespace, type, labelSelector, onError } = options;
  let isNamespaceGone = false;

  const cache: Cache<SeenObject, "uid" | "application"> = startCache(client, type.resource, {
    namespaces: [namespace],
    labelSelector,
    ...{ pageSize: PAGE_SIZE, limits: LIST_LIMITS, onError },
    // The service clock is for the ages of bundles. A broken watch is started again by the machine's clock.
    ...{ clock: systemClock, random: systemRandom() },
    keep: (object) => seenObject(type, object),
    identityOf: ({ metadata }) => ({ ...metadata, namespace }),
    indexes: {
      uid: ({ metadata }) => [metadata.uid],
      application: ({ metadata }) => [metadata.labels[SPARK_APP_ID_LABEL] ?? ""],
    },
  });
  cache.subscribe({ listed: () => (isNamespaceGone = false) });

  /** If the labels name an application, only its objects are searched: a namespace may have thousands of pods. */
  function ownersOf(subject: BundleOwner): SeenObject[] {
    const id = subject.owner.ownerLabels[SPARK_APP_ID_LABEL];
    const labelled = id === undefined ? [...cache.values()] : cache.byIndex("application", id);
    const bound = cache.byIndex("uid", subject.uid ?? "");
    return [...new Set([...labelled.filter((object) => isOwner(object, subject)), ...bound])];
  }

  return {
    namespace,
    type,
    labelSelector,
    selects: ({ metadata }) => labelSelector === undefined || labelSelector in metadata.labels,
    synced: cache.synced,
    state(subject) {
      if (isNamespaceGone) return "absent";
      return cache.isCurrent() ? stateOf(ownersOf(subject)) : "unknown";
    },
    ownersOf,
    get isRefused() {
      const lastError = cache.lastError();
      const isRefusal = lastError?.kind === "status" && (lastError.status === 403 || lastError.status === 404);
      return !cache.isCurrent() && isRefusal;
    },
    get isNamespaceGone() {
      return isNamespaceGone;
    },
    noteNamespace(isGone) {
      isNamespaceGone = isGone;
    },
    stop: () => cache.stop(),
  };
}
