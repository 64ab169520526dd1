import type { Capacity } from "../capacity.ts";
import type { NodeClass } from "../nodes-to-come/node-class.ts";
import type { Resources } from "../resources.ts";
import { keptPods, podsToCome, type KeptPodsOptions } from "./kept-pods.ts";
import { allows, costIn, nodeIn, placesOf, type Place, type PlacedPods } from "./place.ts";
import type { Batch, Shape } from "./shape.ts";
import { count, timesIn, type Tally } from "./tally.ts";

/**
 * Where pods are, and where there is room for more. The first place with room is taken. As long as room only decreases, a
 * place that was too full for a shape is not checked again for it.
 */
export class Room {
  /** The total for applications. */
  readonly total: Resources;
  #places: readonly Place[];
  readonly #byNode: ReadonlyMap<string, Place>;
  /** The place at which the search for room for a shape begins. */
  readonly #cursors = new Map<Shape, number>();
  /** The count is negative for pods that were taken out. */
  readonly #moves: PlacedPods[] = [];
  #kept: PlacedPods[] = [];
  #leaving: PlacedPods[] = [];
  readonly #firm: PlacedPods[] = [];
  /** Where drivers are. */
  readonly #withDrivers = new Set<Place>();
  /** Whether nodes can be taken away when they are empty, and others be added. */
  readonly #isAutoscaled: boolean;

  constructor(capacity: Capacity, now: number) {
    this.#places = placesOf(capacity, now);
    this.#byNode = new Map(
      this.#places.flatMap((place) => (place.site.kind === "node" ? [[place.site.node.name, place]] : [])),
    );
    this.total = sumOf(this.#places.map(partOfTotal));
    this.#isAutoscaled = capacity.kind === "nodes" && (capacity.classes ?? []).length > 0;
  }

  /**
   * From now on, fuller nodes are filled first: so pods leave nodes free as a whole, and an autoscaler takes these away. To be
   * called when the pods on nodes have been counted. Without an autoscaler, the order of nodes is not changed.
   */
  pack(): void {
    if (!this.#isAutoscaled) return;
    const stageOf = ({ site }: Place): number => (site.kind === "node" ? (site.node.isComing === true ? 1 : 0) : 2);
    this.#places = this.#places.toSorted(
      (a, b) => stageOf(a) - stageOf(b) || (stageOf(a) === 2 ? 0 : usedPart(b) - usedPart(a)),
    );
    for (const [index, place] of this.#places.entries()) place.index = index;
  }

  /** A driver is here. */
  noteDriver(place: Place): void {
    this.#withDrivers.add(place);
  }

  /** What is free in places where pods may be put. A resource that is not limited in one of them is not named. */
  get left(): Resources {
    const open = this.#places.filter((place) => place.open);
    const left = sumOf(open.map(({ free }) => free));
    const isLimited = (name: string): boolean => open.every(({ missing, free }) => missing === 0 || name in free);
    return Object.fromEntries(
      Object.keys(this.total).flatMap((name) => (isLimited(name) ? [[name, left[name] ?? 0]] : [])),
    );
  }

  /** The classes of nodes that may still come, with what is left of them now. */
  get classes(): readonly NodeClass[] {
    return this.#places.flatMap(({ site, free }) =>
      site.kind === "class" ? [{ ...site.nodeClass, left: { ...free } }] : [],
    );
  }

  /**
   * Counts an existing pod. If it has no node yet, it is put where there is room, or room is kept for it. Returns its place;
   * `undefined` if it has no node, or an unknown one.
   */
  occupy(shape: Shape, node: string | undefined): Place | undefined {
    const place = this.#placeOf(node);
    if (place !== undefined) {
      count(place.free, costIn(place, shape), -1, place.missing);
      return place;
    }
    if (node === undefined && !this.put([{ shape, count: 1 }])) this.keep([{ shape, count: 1 }], []);
    return undefined;
  }

  /** Puts all these pods where there is room. If there is not enough room, changes nothing and returns false. */
  put(batches: readonly Batch[]): boolean {
    const mark = this.mark();
    const cursors = batches.map(({ shape }) => this.#cursors.get(shape) ?? 0);
    if (batches.every((batch) => this.#putBatch(batch))) return true;
    if (this.mark() > mark) {
      this.#takeBack(mark);
      for (const [index, { shape }] of batches.entries()) this.#cursors.set(shape, cursors[index] ?? 0);
    }
    return false;
  }

  /** Adds pods that are not surplus. */
  expectToStay(pods: readonly PlacedPods[]): void {
    this.#firm.push(...pods);
  }

  /** Adds a pod that was asked to leave: room is kept where it leaves. */
  expectToLeave(pods: PlacedPods): void {
    this.#leaving.push(pods);
  }

  /** Removes all pods that were asked to leave from their places. */
  vacateLeaving(): void {
    for (const { shape, place } of this.#leaving) this.vacate(shape, place);
    this.#leaving = [];
  }

  /** The node on which a pod of this shape was put last; a driver may have the same shape as executors. */
  lastNodeOf(shape: Shape, isDriver: boolean): string | undefined {
    const last = this.#moves.findLast((pods) => pods.shape === shape && (pods.isDriver ?? false) === isDriver);
    return last && nodeIn(last.place);
  }

  /** Removes a pod from its place. */
  vacate(shape: Shape, place: Place): void {
    this.#move({ place, shape, count: -1 });
    this.#lookAgainFrom(place.index);
  }

  /** Puts a pod back into its place; false if there is no room for it any more. */
  reoccupy(shape: Shape, place: Place): boolean {
    if (timesIn(place.free, costIn(place, shape), place.missing) < 1) return false;
    this.#move({ place, shape, count: 1 });
    return true;
  }

  /** A point to which all later moves can be undone. */
  mark(): number {
    return this.#moves.length;
  }

  undo(mark: number): void {
    const indexes = this.#moves.slice(mark).map(({ place }) => place.index);
    this.#takeBack(mark);
    if (indexes.length > 0) this.#lookAgainFrom(Math.min(...indexes));
  }

  /**
   * Keeps room for pods that do not fit now, but would fit if every application were gone: others get only the rest. If there
   * is not enough room even then, nothing is kept. `own` are pods that stay while these wait.
   */
  keep(batches: readonly Batch[], own: readonly PlacedPods[]): void {
    this.#keepPods(keptPods(batches, this.#outlook(own)));
  }

  /** Keeps room only for pods that will fit when the executors that were asked to leave are gone. */
  keepWhatComes(batches: readonly Batch[]): void {
    if (this.#leaving.length > 0) this.#keepPods(podsToCome(batches, this.#outlook([])));
  }

  /** Releases all kept room. */
  unkeep(): void {
    for (const { place, shape, count: times } of this.#kept)
      count(place.free, costIn(place, shape), times, place.missing);
    this.#kept = [];
    this.#cursors.clear();
  }

  /**
   * Whether the pods could be put: now; if only `own` were there (`empty`); or if also all pods of others were gone (`ever`).
   */
  wouldHold(batches: readonly Batch[], when: "now" | "empty" | "ever", own: readonly PlacedPods[] = []): boolean {
    const taken = new Map<Place, Tally>();
    const leftIn = (place: Place): Resources =>
      taken.get(place) ?? { now: place.free, empty: place.empty, ever: place.whole }[when];
    const takeIn = ({ place, shape, count: times }: PlacedPods): void => {
      const left = { ...leftIn(place) };
      count(left, costIn(place, shape), -times, place.missing);
      taken.set(place, left);
    };
    if (when !== "now") for (const pods of own) takeIn(pods);
    return batches.every(({ shape, count: wanted }) => {
      let missing = wanted;
      for (const place of this.#places) {
        if (missing === 0) break;
        if (when !== "ever" && !place.open) continue;
        const times = Math.min(missing, timesIn(leftIn(place), costIn(place, shape), place.missing));
        if (times === 0 || !allows(place, shape)) continue;
        takeIn({ place, shape, count: times });
        missing -= times;
      }
      return missing === 0;
    });
  }

  #outlook(own: readonly PlacedPods[]): KeptPodsOptions {
    return { places: this.#places, kept: this.#kept, leaving: this.#leaving, firm: this.#firm, staying: own };
  }

  #keepPods(all: readonly PlacedPods[]): void {
    for (const pods of all) take(pods);
    this.#kept.push(...all);
  }

  #placeOf(node: string | undefined): Place | undefined {
    const [first] = this.#places;
    if (first?.site.kind === "everywhere") return first;
    return node === undefined ? undefined : this.#byNode.get(node);
  }

  #putBatch({ shape, count: wanted, isDriver = false }: Batch): boolean {
    if (isDriver && this.#isAutoscaled && this.#putBesideDrivers(shape)) return true;
    let missing = wanted;
    for (let index = this.#cursors.get(shape) ?? 0; missing > 0; index++) {
      this.#cursors.set(shape, index);
      const place = this.#places[index];
      if (place === undefined) return false;
      if (!place.open) continue;
      const times = Math.min(missing, timesIn(place.free, costIn(place, shape), place.missing));
      if (times === 0 || !allows(place, shape)) continue;
      this.#move({ place, shape, count: times, isDriver });
      missing -= times;
    }
    return true;
  }

  /** A node with a driver cannot be taken away, so another driver there costs nothing. */
  #putBesideDrivers(shape: Shape): boolean {
    const place = [...this.#withDrivers].find(
      (one) => one.open && timesIn(one.free, costIn(one, shape), one.missing) > 0 && allows(one, shape),
    );
    if (place === undefined) return false;
    this.#move({ place, shape, count: 1, isDriver: true });
    return true;
  }

  #move(pods: PlacedPods): void {
    take(pods);
    this.#moves.push(pods);
  }

  #takeBack(mark: number): void {
    for (const { place, shape, count: times } of this.#moves.splice(mark)) {
      count(place.free, costIn(place, shape), times, place.missing);
    }
  }

  #lookAgainFrom(index: number): void {
    for (const [shape, cursor] of this.#cursors) if (cursor > index) this.#cursors.set(shape, index);
  }
}

function take({ place, shape, count: times }: PlacedPods): void {
  count(place.free, costIn(place, shape), -times, place.missing);
}

/**
 * What a place adds to the total, by which shares are measured. A resource that is not limited in a class counts with one
 * node: shares must stay comparable, whatever the amount.
 */
function partOfTotal({ site, empty }: Place): Resources {
  return site.kind === "class" ? { ...site.nodeClass.largest, ...empty } : empty;
}

/** The highest part of a resource of the place that is used. */
function usedPart({ whole, free }: Place): number {
  let part = 0;
  for (const name of ["cpu", "memory"]) {
    const all = whole[name] ?? 0;
    if (all > 0) part = Math.max(part, (all - (free[name] ?? 0)) / all);
  }
  return part;
}

/** A negative amount in one place does not reduce the amount in another. */
function sumOf(all: readonly Resources[]): Resources {
  const total: Record<string, number> = {};
  for (const one of all) {
    for (const [name, amount] of Object.entries(one)) total[name] = (total[name] ?? 0) + Math.max(0, amount);
  }
  return total;
}
