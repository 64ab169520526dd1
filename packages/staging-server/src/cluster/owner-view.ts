import { isKubeError, resources, startReflector, type KubeClient, type KubeObject } from "@kindling/kube";
import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";
import type { OwnerType } from "./owner-type.ts";

/** What one watch, of one type in one namespace, knows. */
export interface OwnerView {
  /** Resolves when it has seen everything once; rejects when it is stopped before that. */
  readonly synced: Promise<void>;
  state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState;
  stop(): Promise<void>;
}

export interface OwnerViewOptions {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** Of an object, only what can decide; thousands of whole pods would fill the memory. */
interface SeenObject {
  readonly labels: Readonly<Record<string, string>>;
  readonly ended: boolean;
}

export function ownerView(client: KubeClient, options: OwnerViewOptions): OwnerView {
  const { namespace, type, labelSelector, onError } = options;
  let seen = new Map<string, SeenObject>();
  // Without a right to list a namespace, its end cannot be told from a lack of rights, except by asking for itself.
  let namespaceGone = false;

  function see(objects: Map<string, SeenObject>, object: KubeObject): void {
    const { uid, labels = {} } = object.metadata ?? {};
    if (uid !== undefined) objects.set(uid, { labels, ended: type.hasEnded(object) });
  }

  const reflector = startReflector(client, type.resource, {
    namespace,
    labelSelector,
    onError(error) {
      onError(error);
      if (error.kind === "status" && (error.status === 403 || error.status === 404)) void lookForNamespace();
    },
    sink: {
      replace(items) {
        const fresh = new Map<string, SeenObject>();
        for (const item of items) see(fresh, item);
        seen = fresh;
        namespaceGone = false;
      },
      apply(event) {
        if (event.type === "BOOKMARK") return;
        if (event.type === "DELETED") seen.delete(event.object.metadata?.uid ?? "");
        else see(seen, event.object);
      },
    },
  });
  // A sink of this kind cannot throw; whoever waits for `synced` is told of the rest.
  reflector.ended.catch(onError);
  let synced = false;
  reflector.synced.then(
    () => (synced = true),
    () => undefined,
  );

  async function lookForNamespace(): Promise<void> {
    try {
      await client.get(resources.namespaces, namespace);
      namespaceGone = false;
    } catch (error) {
      namespaceGone = isKubeError(error) && error.kind === "status" && error.status === 404;
    }
  }

  return {
    synced: reflector.synced,
    state(owner, uid) {
      if (namespaceGone) return "absent";
      // While a fault lasts, what was seen before it may be out of date.
      if (!synced || reflector.lastError !== undefined) return "unknown";
      let found: OwnerState = "absent";
      for (const [id, object] of seen) {
        if (id !== uid && !hasLabels(object, owner)) continue;
        if (!object.ended) return "present";
        found = "finished";
      }
      return found;
    },
    stop: () => reflector.stop(),
  };
}

function hasLabels({ labels }: SeenObject, { ownerLabels }: StagedResourcesOwner): boolean {
  return Object.entries(ownerLabels).every(([key, value]) => labels[key] === value);
}
