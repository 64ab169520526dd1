import type { Resources } from "../resources.ts";
import { allows, costIn, type Place, type PlacedPods } from "./place.ts";
import type { Batch } from "./shape.ts";
import { count, timesIn, type Tally } from "./tally.ts";

/**
 * What will be free in a place, without room that is kept. `soon`: when the executors that were asked to leave are gone.
 * `withoutSurplus`: when all surplus executors are gone. `later`: when all pods are gone except those that stay while these
 * pods wait.
 */
type Outlook = "soon" | "withoutSurplus" | "later";

export interface KeptPodsOptions {
  readonly places: readonly Place[];
  /** Pods for which room is already kept. */
  readonly kept: readonly PlacedPods[];
  readonly leaving: readonly PlacedPods[];
  /** All pods except surplus executors. */
  readonly firm: readonly PlacedPods[];
  readonly staying: readonly PlacedPods[];
}

/**
 * Where room is kept for pods that do not fit now: in the places that become free when the executors that were asked to leave
 * are gone. If these are not enough, in places that only surplus executors use, and then in places that become free when
 * others have left. The choice does not depend on where surplus executors are now. Otherwise the kept room would move with
 * them, and room that was made free for one pod would be kept for another. Empty if there is not enough room even then.
 */
export function keptPods(batches: readonly Batch[], options: KeptPodsOptions): readonly PlacedPods[] {
  return packed(batches, options, ["soon"]) ?? packed(batches, options, ["withoutSurplus", "later"]) ?? [];
}

/** Where pods will have room when the executors that were asked to leave are gone; empty if that is not enough. */
export function podsToCome(batches: readonly Batch[], options: KeptPodsOptions): readonly PlacedPods[] {
  return packed(batches, options, ["soon"]) ?? [];
}

function packed(
  batches: readonly Batch[],
  options: KeptPodsOptions,
  outlooks: readonly Outlook[],
): readonly PlacedPods[] | undefined {
  const views = outlooks.map((outlook) => new View(outlook, options));
  const pods: PlacedPods[] = [];
  for (const { shape, count: wanted } of batches) {
    let missing = wanted;
    for (const view of views) {
      for (const place of options.places) {
        if (missing === 0) break;
        if (!place.open) continue;
        const times = Math.min(missing, timesIn(view.of(place), costIn(place, shape), place.missing));
        if (times === 0 || !allows(place, shape)) continue;
        pods.push({ place, shape, count: times });
        for (const one of views) one.change({ place, shape, count: times }, -1);
        missing -= times;
      }
    }
    if (missing > 0) return undefined;
  }
  return pods;
}

/** The places in one outlook; only changed places are copied. */
class View {
  readonly #isSoon: boolean;
  readonly #changed = new Map<Place, Tally>();

  constructor(outlook: Outlook, { kept, leaving, firm, staying }: KeptPodsOptions) {
    this.#isSoon = outlook === "soon";
    const there = { soon: [], withoutSurplus: [...firm, ...kept], later: [...staying, ...kept] }[outlook];
    for (const pods of there) this.change(pods, -1);
    if (this.#isSoon) for (const pods of leaving) this.change(pods, 1);
  }

  of(place: Place): Resources {
    return this.#changed.get(place) ?? (this.#isSoon ? place.free : place.empty);
  }

  change({ place, shape, count: times }: PlacedPods, sign: 1 | -1): void {
    const tally = this.#changed.get(place) ?? { ...this.of(place) };
    this.#changed.set(place, tally);
    count(tally, costIn(place, shape), sign * times, place.missing);
  }
}
