import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Outside, within } from "@kindling/outside";
import type { StagedResourcesOwner } from "@kindling/staging-client";
import type { OwnerType } from "./owner-type.ts";
import { ownerView, type OwnerView } from "./owner-view.ts";

// How long a check of all bundles waits for watches that have just begun. Owners that they do not show by then are
// unknown.
const PATIENCE_MS = 5_000;

/** One watch for each namespace and type of owner in use. */
export interface FollowedViews {
  /** The view of owners like this; `undefined` if no watch follows them. */
  of(owner: StagedResourcesOwner): OwnerView | undefined;
  all(): readonly OwnerView[];
  /** Follows these owners, and no others; waits for watches that have just begun. */
  follow(owners: readonly StagedResourcesOwner[]): Promise<void>;
  /** Ends a watch, so that it is started again. */
  drop(view: OwnerView): Promise<void>;
  close(): Promise<void>;
}

interface Followed {
  readonly namespace: string;
  readonly type: OwnerType;
  readonly labelSelector: string | undefined;
}

export interface FollowedViewsOptions extends Pick<Outside, "clock"> {
  readonly onError: (error: unknown) => void;
}

export function followedViews(
  client: KubeClient,
  types: ReadonlyMap<string, OwnerType>,
  { clock, onError }: FollowedViewsOptions,
): FollowedViews {
  let views = new Map<string, OwnerView>();
  let current = new Map<string, string>();
  return {
    of: (owner) => views.get(current.get(placeOf(owner)) ?? ""),
    all: () => [...views.values()],
    async follow(owners) {
      const wanted = selections(owners, types);
      const next = new Map<string, OwnerView>();
      const begun: Promise<unknown>[] = [];
      for (const [place, followed] of wanted) {
        const key = keyOf(place, followed);
        const view = views.get(key) ?? ownerView(client, { ...followed, onError });
        if (!views.has(key)) begun.push(view.synced.catch(() => undefined));
        next.set(key, view);
      }
      const ended = [...views].filter(([key]) => !next.has(key));
      views = next;
      current = new Map([...wanted].map(([place, followed]) => [place, keyOf(place, followed)]));
      await Promise.all(ended.map(([, view]) => view.stop().catch(onError)));
      if (begun.length === 0) return;
      await within(clock, PATIENCE_MS, Promise.all(begun), () => undefined);
    },
    async drop(view) {
      for (const [key, one] of views) if (one === view) views.delete(key);
      await view.stop().catch(onError);
    },
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
 * What to watch for a set of owners. All of Spark's pods have the application's label. If all owners of one type in a
 * namespace have it, other pods of the namespace are not requested at all.
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
