import type { Decision } from "../admission-plan.ts";
import { beginOf, type RoomRequest } from "../ledger/application-account.ts";
import type { Ledger, Obstacle } from "../ledger/ledger.ts";
import { allows, type Place } from "../ledger/place.ts";
import type { Shape } from "../ledger/shape.ts";
import { count, timesIn, type Tally } from "../ledger/tally.ts";
import { Victims, type Candidate, type Victim } from "./victims.ts";

/** How many places are compared to find the one that loses the fewest executors. Comparing all would take too long. */
const MOST_COMPARED = 16;

/** Candidates in one place. */
interface Pile {
  readonly candidates: Candidate[];
  /** What would be free if these candidates were gone. */
  readonly free: Tally;
}

/**
 * Meets requests by taking executors away, if nothing else helps: first executors that can leave without loss, and last by
 * deleting some.
 */
export class Preemption {
  readonly decisions: Decision[] = [];
  readonly #ledger: Ledger;
  readonly #victims: Victims;
  readonly #most: number;

  constructor(ledger: Ledger, most: number) {
    this.#ledger = ledger;
    this.#most = most;
    this.#victims = new Victims(most > 0 ? ledger.applications : [], ledger.room.total);
  }

  /**
   * Meets a request; if that is not possible, changes nothing and returns the obstacle. No executor is asked to leave for a
   * request behind a start for which room is kept: the freed room would be kept for the start, too.
   */
  meet(request: RoomRequest, isBehind: boolean): Obstacle | undefined {
    const obstacle = this.#ledger.meet(request);
    if (obstacle === undefined || isBehind || this.decisions.length >= this.#most) return obstacle;
    const mark = this.#ledger.room.mark();
    const asked: Candidate[] = [];
    if (!this.#clearLimits(request, asked) || !this.#clearRoom(request, asked)) {
      this.#ledger.room.undo(mark);
      for (const { victim } of asked) this.#spare(victim);
      return obstacle;
    }
    const needed = this.#needed(request, asked);
    this.#ledger.enter(request);
    this.decisions.push(...needed.map((candidate) => decisionFor(request, candidate)));
    return undefined;
  }

  /** Asks executors to leave until neither a ceiling nor a quota is in the way. */
  #clearLimits(request: RoomRequest, asked: Candidate[]): boolean {
    for (;;) {
      const obstacle = this.#ledger.limitInTheWay(request);
      if (obstacle === undefined) return true;
      const candidate = this.#first(request, ({ application }) =>
        relieves(application.queue, application.demand.namespace, obstacle),
      );
      if (candidate === undefined) return false;
      this.#ask(candidate, asked);
    }
  }

  /** Asks executors to leave until there is room for each pod, one place after the other. */
  #clearRoom({ pods, ...request }: RoomRequest, asked: Candidate[]): boolean {
    return pods.every(({ shape, count: times }) => {
      for (let pod = 0; pod < times; pod++) {
        if (this.#ledger.room.put([{ shape, count: 1 }])) continue;
        if (!this.#clearPlace({ pods, ...request }, shape, asked)) return false;
        if (!this.#ledger.room.put([{ shape, count: 1 }])) return false;
      }
      return true;
    });
  }

  /**
   * Asks executors to leave in the first place where this makes room for a pod and at most one running executor is deleted.
   * If there is no such place, uses the one of the first places where the fewest are deleted.
   */
  #clearPlace(request: RoomRequest, shape: Shape, asked: Candidate[]): boolean {
    const piles = new Map<Place, Pile>();
    const enough = new Set<Pile>();
    for (const candidate of this.#victims.candidates(request)) {
      const { place, shape: freed } = candidate.victim;
      if (!place.open || !allows(place, shape)) continue;
      const pile = piles.get(place) ?? { candidates: [], free: { ...place.free } };
      piles.set(place, pile);
      if (enough.has(pile)) continue;
      pile.candidates.push(candidate);
      count(pile.free, freed.amounts, 1, place.missing);
      if (timesIn(pile.free, shape.amounts, place.missing) < 1) continue;
      if (lossOf(pile.candidates) <= 1) {
        if (this.#askAll(request, pile.candidates, asked)) return true;
      } else if (enough.add(pile).size === MOST_COMPARED) break;
    }
    const byLoss = [...enough].toSorted((a, b) => lossOf(a.candidates) - lossOf(b.candidates));
    return byLoss.some(({ candidates }) => this.#askAll(request, candidates, asked));
  }

  /** Asks all candidates to leave, or none if not all may be asked together. */
  #askAll(request: RoomRequest, candidates: readonly Candidate[], asked: Candidate[]): boolean {
    const mark = this.#ledger.room.mark();
    const before = asked.length;
    for (const candidate of candidates) {
      if (this.#victims.reasonFor(request, candidate.victim) === undefined) {
        this.#ledger.room.undo(mark);
        for (const { victim } of asked.splice(before)) this.#spare(victim);
        return false;
      }
      this.#ask(candidate, asked);
    }
    return true;
  }

  /**
   * The candidates that the request really needs. The others stay. Candidates that would be deleted are spared before those
   * that can leave without loss, and then those that began first.
   */
  #needed(request: RoomRequest, asked: readonly Candidate[]): readonly Candidate[] {
    const { room } = this.#ledger;
    const spared = new Set<Candidate>();
    for (const candidate of asked.toSorted(firstSpared)) {
      const { victim } = candidate;
      if (!room.reoccupy(victim.shape, victim.place)) continue;
      this.#spare(victim);
      if (this.#ledger.limitInTheWay(request) === undefined) spared.add(candidate);
      else {
        room.vacate(victim.shape, victim.place);
        this.#dismiss(victim);
      }
    }
    return asked.filter((candidate) => !spared.has(candidate));
  }

  #first(request: RoomRequest, isWanted: (victim: Victim) => boolean): Candidate | undefined {
    for (const candidate of this.#victims.candidates(request)) if (isWanted(candidate.victim)) return candidate;
    return undefined;
  }

  #ask(candidate: Candidate, asked: Candidate[]): void {
    const { victim } = candidate;
    this.#ledger.room.vacate(victim.shape, victim.place);
    this.#dismiss(victim);
    asked.push(candidate);
  }

  /** Does not change its place. */
  #dismiss(victim: Victim): void {
    this.#ledger.dismiss(victim.application, victim);
    this.#victims.ask(victim);
  }

  /** Does not change its place. */
  #spare(victim: Victim): void {
    this.#ledger.readmit(victim.application, victim);
    this.#victims.spare(victim);
  }
}

/** Whether it helps if an executor of this queue and namespace leaves. */
function relieves(queue: Victim["application"]["queue"], namespace: string, obstacle: Obstacle): boolean {
  switch (obstacle.kind) {
    case "ceiling": {
      let above: Victim["application"]["queue"] | undefined = queue;
      while (above !== undefined && above !== obstacle.queue) above = above.parent;
      return above !== undefined;
    }
    case "quota":
      return obstacle.quota.quota.namespace === namespace;
    case "room":
      return true;
  }
}

/** How many running executors would be deleted. */
function lossOf(candidates: readonly Candidate[]): number {
  return candidates.filter(({ way, victim }) => way === "deletion" && victim.executor.state === "running").length;
}

function firstSpared(a: Candidate, b: Candidate): number {
  const byWay = Number(a.way === "graceful") - Number(b.way === "graceful");
  return byWay || beginOf(a.victim.executor) - beginOf(b.victim.executor);
}

function decisionFor({ application }: RoomRequest, { victim, ...how }: Candidate): Decision {
  const subject = {
    application: victim.application.demand.id,
    executor: victim.executor.id,
    inFavourOf: application.demand.id,
  };
  return how.way === "graceful"
    ? { kind: "decommission", ...subject, reason: how.reason }
    : { kind: "delete", ...subject, reason: how.reason };
}
