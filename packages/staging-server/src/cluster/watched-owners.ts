import type { KubeClient } from "@kindling/kube";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { sleep, type Outside } from "@kindling/outside";
import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";
import type { OwnerQuestion, OwnerWatch } from "../lifecycle/owner-watch.ts";
import { askAboutNamespaces } from "./ask-about-namespaces.ts";
import { askAboutOwners, type Subject } from "./ask-about-owners.ts";
import { clusterIdentity } from "./cluster-identity.ts";
import { confirmationMemory } from "./confirmations.ts";
import type { OwnerType } from "./owner-type.ts";
import { ownerView, type OwnerView } from "./owner-view.ts";

// How long a look at all bundles waits for watches that have just begun; what they do not know by then is unknown.
const PATIENCE_MS = 5_000;
// How long one round of questions may keep the cleaner from its other tasks, some of which are due every half minute.
const LONGEST_QUESTIONING_MS = 60_000;

interface Followed {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
}

export interface WatchedOwnersOptions extends Pick<Outside, "clock" | "random"> {
  /** How far apart two answers are that count as two. */
  readonly apartMs: number;
  readonly onError: (error: unknown) => void;
}

/** One watch for each namespace and type of owner in use; none for anything else. */
export function watchedOwners(
  client: KubeClient,
  types: ReadonlyMap<string, OwnerType>,
  { clock, random, apartMs, onError }: WatchedOwnersOptions,
): OwnerWatch {
  const identity = clusterIdentity(client);
  const memory = confirmationMemory(clock, apartMs);
  let views = new Map<string, OwnerView>();
  let current = new Map<string, string>();

  function viewOf(owner: StagedResourcesOwner): OwnerView | undefined {
    return views.get(current.get(placeOf(owner)) ?? "");
  }

  function state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState {
    if (!types.has(owner.ownerType)) return "unwatched";
    return viewOf(owner)?.state({ owner, uid }) ?? "unknown";
  }

  /** The owner of a question, if the cluster is to be asked about it. */
  function doubtful({ owner, uid, isDue }: OwnerQuestion): Subject[] {
    const subject = { owner, uid };
    const view = viewOf(owner);
    const shown = state(owner, uid);
    if (view === undefined || shown === "unknown" || shown === "unwatched") return [];
    memory.remember(subject, view.ownersOf(subject));
    if (shown === "present") memory.reset(subject);
    const isNeeded = isDue || memory.count(subject) === 0;
    return shown !== "present" && isNeeded && memory.mayCount(subject) ? [{ ...subject, view }] : [];
  }

  /** A view that shows less than there is has been told of another cluster, or of nothing: it is made anew. */
  async function startAnew(view: OwnerView): Promise<void> {
    onError(
      new Error(`the watch of ${view.type.name} in namespace ${view.namespace} lacks what runs, and is begun anew`),
    );
    for (const [key, one] of views) if (one === view) views.delete(key);
    await view.stop().catch(onError);
  }

  return {
    knows: (ownerType) => types.has(ownerType),
    state,
    async follow(owners) {
      const all = [...owners];
      const wanted = selections(all, types);
      const next = new Map<string, OwnerView>();
      const begun: Promise<unknown>[] = [];
      for (const [place, followed] of wanted) {
        const key = keyOf(place, followed);
        const view = views.get(key) ?? ownerView(client, { ...followed, clock, random, onError });
        if (!views.has(key)) begun.push(view.synced.catch(() => undefined));
        next.set(key, view);
      }
      const ended = [...views].filter(([key]) => !next.has(key));
      views = next;
      current = new Map([...wanted].map(([place, followed]) => [place, keyOf(place, followed)]));
      memory.retain(all);
      await Promise.all(ended.map(([, view]) => view.stop().catch(onError)));
      if (begun.length === 0) return;
      const patience = new AbortController();
      await Promise.race([Promise.all(begun), sleep(clock, PATIENCE_MS, patience.signal)]);
      patience.abort();
    },
    async confirm(questions) {
      const patience = new AbortController();
      const stopWaiting = clock.after(LONGEST_QUESTIONING_MS, () => patience.abort());
      try {
        if (views.size === 0) return;
        await askAboutNamespaces(client, identity, views.values(), patience.signal);
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
    async close() {
      await Promise.all([...views.values()].map((view) => view.stop().catch(onError)));
      views.clear();
    },
  };
}

function placeOf(owner: StagedResourcesOwner): string {
  return `${owner.ownerNamespace}/${owner.ownerType}`;
}

function keyOf(place: string, { labelSelector = "" }: Followed): string {
  return `${place}?${labelSelector}`;
}

/**
 * What to watch for a set of owners. Pods of Spark all carry the application's label: where all owners of a place have
 * it, other pods of the namespace are not even asked for.
 */
function selections(
  owners: readonly StagedResourcesOwner[],
  types: ReadonlyMap<string, OwnerType>,
): ReadonlyMap<string, Followed> {
  const wanted = new Map<string, Followed>();
  for (const owner of owners) {
    const type = types.get(owner.ownerType);
    if (type === undefined) continue;
    const place = placeOf(owner);
    const isSpark = SPARK_APP_ID_LABEL in owner.ownerLabels && wanted.get(place)?.labelSelector !== ALL;
    const labelSelector = isSpark ? SPARK_APP_ID_LABEL : ALL;
    wanted.set(place, { namespace: owner.ownerNamespace, type, labelSelector });
  }
  for (const [place, followed] of wanted) {
    if (followed.labelSelector === ALL) wanted.set(place, { ...followed, labelSelector: undefined });
  }
  return wanted;
}

const ALL = "";
