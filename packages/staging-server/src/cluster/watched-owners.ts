import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";
import type { OwnerQuestion, OwnerWatch } from "../lifecycle/owner-watch.ts";
import { askAboutNamespaces } from "./ask-about-namespaces.ts";
import { askAboutOwners, type Subject } from "./ask-about-owners.ts";
import { clusterIdentity } from "./cluster-identity.ts";
import { confirmationMemory } from "./confirmations.ts";
import { followedViews } from "./followed-views.ts";
import type { OwnerType } from "./owner-type.ts";
import type { OwnerView } from "./owner-view.ts";

// How long one round of questions may delay the cleaner's other tasks. Some of them are due every half minute.
const LONGEST_QUESTIONING_MS = 60_000;

export interface WatchedOwnersOptions extends Pick<Outside, "clock"> {
  /** The least time between two answers that count as two. */
  readonly apartMs: number;
  readonly onError: (error: unknown) => void;
}

/** Watches each namespace and type of owner in use, and nothing else. */
export function watchedOwners(
  client: KubeClient,
  types: ReadonlyMap<string, OwnerType>,
  { clock, apartMs, onError }: WatchedOwnersOptions,
): OwnerWatch {
  const identity = clusterIdentity(client);
  const memory = confirmationMemory(clock, apartMs);
  const views = followedViews(client, types, { clock, onError });

  function state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState {
    if (!types.has(owner.ownerType)) return "unwatched";
    return views.of(owner)?.state({ owner, uid }) ?? "unknown";
  }

  /** The owner of a question, if the cluster has to be asked about it. */
  function doubtful({ owner, uid, isDue }: OwnerQuestion): Subject[] {
    const subject = { owner, uid };
    const view = views.of(owner);
    const shown = state(owner, uid);
    if (view === undefined || shown === "unknown" || shown === "unwatched") return [];
    memory.remember(subject, view.ownersOf(subject));
    if (shown === "present") memory.reset(subject);
    const isNeeded = isDue || memory.count(subject) === 0;
    return shown !== "present" && isNeeded && memory.mayCount(subject) ? [{ ...subject, view }] : [];
  }

  /** A view that shows too little was filled from another cluster, or not at all: it is made again. */
  async function startAnew(view: OwnerView): Promise<void> {
    onError(new Error(`the watch of ${view.type.name} in namespace ${view.namespace} lacks objects, and is restarted`));
    await views.drop(view);
  }

  return {
    knows: (ownerType) => types.has(ownerType),
    state,
    async follow(owners) {
      const all = [...owners];
      memory.retain(all);
      await views.follow(all);
    },
    async confirm(questions) {
      const patience = new AbortController();
      const stopWaiting = clock.after(LONGEST_QUESTIONING_MS, () => patience.abort());
      try {
        if (views.all().length === 0) return;
        await askAboutNamespaces(client, identity, views.all(), patience.signal);
        const subjects = [...questions].flatMap(doubtful);
        const { wrong, error } = await askAboutOwners(client, identity, memory, subjects, patience.signal);
        if (error !== undefined) onError(error);
        await Promise.all([...wrong].map(startAnew));
      } catch (error) {
        onError(error);
      } finally {
        stopWaiting();
      }
    },
    confirmations: (subject) => memory.count(subject),
    close: () => views.close(),
  };
}
