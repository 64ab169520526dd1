import { byAge } from "../application-demand.ts";
import type { ApplicationAccount, RoomRequest } from "../ledger/application-account.ts";
import type { Ledger, Obstacle } from "../ledger/ledger.ts";
import { requestsOf } from "../ledger/shape.ts";
import { amountsOf } from "../ledger/tally.ts";
import { fillFairly } from "./fill-fairly.ts";
import { limitOf } from "./limit-of.ts";
import { restOf, type Line, type Wants } from "./wants.ts";

/** The result of a round. */
export interface RoundOutcome {
  /** What was given, in this order. */
  readonly met: readonly Met[];
  /** The first obstacle of each application. */
  readonly stopped: ReadonlyMap<ApplicationAccount, Stopped>;
  /** The applications for which something is kept that others could have used. */
  readonly keptFor: readonly string[];
}

export interface Met {
  readonly request: RoomRequest;
  /** The id of the executor; `undefined` for a start, and for room that is kept for a later executor. */
  readonly executor: string | undefined;
  /** The node for the executor or the starting driver. */
  readonly node: string | undefined;
}

export interface Stopped {
  readonly request: RoomRequest;
  readonly obstacle: Obstacle;
  /** Whether room was kept for an earlier start. */
  readonly isBehind: boolean;
}

/** Tries to meet a request; returns the obstacle. `isBehind`: room is kept for an earlier start. */
export type Attempt = (request: RoomRequest, isBehind: boolean) => Obstacle | undefined;

/**
 * Serves the wants of applications in the order that `planAdmission` describes, as far as the attempts succeed. Room may be
 * kept for starts for which `mayKeep` is true.
 */
export function playRound(
  ledger: Ledger,
  all: readonly Wants[],
  attempt: Attempt,
  mayKeep: (request: RoomRequest) => boolean,
): RoundOutcome {
  const met: Met[] = [];
  const stopped = new Map<ApplicationAccount, Stopped>();
  const keptFor = new Set<string>();
  const keptAt = new Set<unknown>();
  let isRoomKept = false;

  function tried(request: RoomRequest, executor: string | undefined): Obstacle | undefined {
    const obstacle = attempt(request, isRoomKept);
    if (obstacle === undefined) met.push({ request, executor, node: nodeOf(request) });
    else if (!stopped.has(request.application))
      stopped.set(request.application, { request, obstacle, isBehind: isRoomKept });
    return obstacle;
  }

  function nodeOf({ what, application, pods: [first] }: RoomRequest): string | undefined {
    const isStart = what === "start";
    const shape = isStart ? ledger.shapeOf(application.demand.driver.pod) : first?.shape;
    return shape && ledger.room.lastNodeOf(shape, isStart);
  }

  function triedNext(line: Line): Obstacle | undefined {
    const obstacle = tried(line.request, line.executors[line.served]?.id);
    if (obstacle === undefined) line.served++;
    return obstacle;
  }

  function keep(request: RoomRequest, obstacle: Obstacle): void {
    ledger.keep(request, obstacle);
    keptFor.add(request.application.demand.id);
  }

  function serveMinimum(line: Line): void {
    while (line.served < line.executors.length) {
      const obstacle = triedNext(line);
      if (obstacle === undefined) continue;
      return keep(restOf(line), obstacle);
    }
  }

  /** If several starts have the same obstacle, it is kept only for the first. */
  function keepForFirst(request: RoomRequest, obstacle: Obstacle): void {
    const place = placeOf(obstacle);
    if (keptAt.has(place) || !mayKeep(request) || limitOf(ledger, request) !== undefined) return;
    keptAt.add(place);
    isRoomKept ||= obstacle.kind === "room";
    keep(request, obstacle);
  }

  const owed = all.toSorted(owedFirst);
  // A minimum that can be had whole is given before anything is kept. Otherwise an application that is nearly complete could
  // wait for an older one, which waits for the room of its driver.
  for (const { minimum } of owed) if (fitsWhole(ledger, minimum)) for (const line of minimum) serveMinimum(line);
  for (const { minimum } of owed) for (const line of minimum) serveMinimum(line);
  fillFairly(ledger.queues.root, all, {
    start: (wants) => {
      const { start } = wants;
      if (start === undefined) return false;
      const obstacle = tried(start, undefined);
      if (obstacle === undefined) wants.start = undefined;
      else keepForFirst(start, obstacle);
      return obstacle === undefined;
    },
    surplus: (_, line) => {
      const obstacle = triedNext(line);
      if (obstacle !== undefined) ledger.keepWhatComes(line.request, obstacle);
      return obstacle === undefined;
    },
  });
  return { met, stopped, keptFor: [...keptFor] };
}

function owedFirst({ account: { demand: a } }: Wants, { account: { demand: b } }: Wants): number {
  return Number(b.driver.promised) - Number(a.driver.promised) || byAge(a, b);
}

function placeOf(obstacle: Obstacle): unknown {
  switch (obstacle.kind) {
    case "ceiling":
      return obstacle.queue;
    case "quota":
      return obstacle.quota;
    case "room":
      return "room";
  }
}

/** Whether all that is missing of a minimum can be had now. */
function fitsWhole(ledger: Ledger, minimum: readonly Line[]): boolean {
  const [first] = minimum;
  if (first === undefined) return false;
  const rests = minimum.map(restOf);
  const pods = rests.flatMap((one) => one.pods);
  const amounts = amountsOf(requestsOf(pods));
  const request = { ...first.request, pods, uncounted: pods, amounts };
  return ledger.limitInTheWay(request) === undefined && ledger.room.wouldHold(pods, "now");
}
