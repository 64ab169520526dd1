import { startReflector, type KubeClient, type ListLimits } from "@kindling/kube";
import type { OwnerState } from "@kindling/staging-client";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import type { OwnerType } from "./owner-type.ts";
import { seenObject, stateOf, type SeenObject } from "./seen-object.ts";
import { seenObjects } from "./seen-objects.ts";

/** What one watch, of one type in one namespace, knows. */
export interface OwnerView {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
  /** Whether its watch is to show an object. */
  selects(object: SeenObject): boolean;
  /** Resolves when it has seen everything once; rejects when it is stopped before that. */
  readonly synced: Promise<void>;
  /** What the view shows; `unknown` while it is not known to be current (see `Reflector.isCurrent`). */
  state(subject: BundleOwner): OwnerState;
  /** The objects that own a bundle as far as the view shows them. */
  ownersOf(subject: BundleOwner): SeenObject[];
  /** Whether the API server refuses to list, for lack of rights or of the namespace. */
  readonly isRefused: boolean;
  /**
   * Whether the namespace is known to be gone: where its list is refused, only asking for itself tells that from a lack
   * of rights. Forgotten as soon as it can be listed.
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

/** Of a namespace's pods, this many at a time are in memory as they came. */
export const PAGE_SIZE = 250;
export const LIST_LIMITS: Partial<ListLimits> = { items: 200_000, pageBytes: 64 * 1024 * 1024 };

export function ownerView(client: KubeClient, options: OwnerViewOptions): OwnerView {
  const { namespace, type, labelSelector, onError } = options;
  const seen = seenObjects();
  let isNamespaceGone = false;

  const reflector = startReflector(client, type.resource, {
    namespace,
    labelSelector,
    pageSize: PAGE_SIZE,
    limits: LIST_LIMITS,
    keep: (object) => seenObject(type, object),
    onError,
    sink: {
      replace(items) {
        seen.replace(items);
        isNamespaceGone = false;
      },
      apply(event) {
        if (event.type === "BOOKMARK") return;
        if (event.type === "DELETED") seen.remove(event.object.metadata.uid);
        else seen.put(event.object);
      },
    },
  });
  // A sink of this kind cannot throw; whoever waits for `synced` is told of the rest.
  reflector.ended.catch(onError);

  return {
    namespace,
    type,
    labelSelector,
    selects: ({ metadata }) => labelSelector === undefined || labelSelector in metadata.labels,
    synced: reflector.synced,
    state(subject) {
      if (isNamespaceGone) return "absent";
      return reflector.isCurrent ? stateOf(seen.ownersOf(subject)) : "unknown";
    },
    ownersOf: (subject) => seen.ownersOf(subject),
    get isRefused() {
      const { isCurrent, lastError } = reflector;
      return !isCurrent && lastError?.kind === "status" && (lastError.status === 403 || lastError.status === 404);
    },
    get isNamespaceGone() {
      return isNamespaceGone;
    },
    noteNamespace(isGone) {
      isNamespaceGone = isGone;
    },
    stop: () => reflector.stop(),
  };
}
