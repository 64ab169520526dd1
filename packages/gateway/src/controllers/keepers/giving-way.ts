import { subtract, type Resources } from "@kindling/admission";
import { oldestFirst, type QueuedKeeper } from "./too-many.ts";

/** A keeper, and what its pod still asks for. */
export interface HoldingKeeper extends QueuedKeeper {
  readonly holds: Resources;
}

/** A keeper helps if it holds at least this part of a resource that is lacking. Dozens must not go for one executor. */
const LEAST_PART = 0.25;

/**
 * The keepers that have to go so that applications of their queue get what they lack: those whose executors ended first, and no
 * more than are needed. None of a queue goes if all of them together could not give what is lacking there.
 */
export function givingWay(
  keepers: readonly HoldingKeeper[],
  lacks: ReadonlyMap<string, Resources>,
): readonly HoldingKeeper[] {
  return [...lacks].flatMap(([queue, lack]) => {
    const going: HoldingKeeper[] = [];
    let left = lack;
    for (const keeper of oldestFirst(keepers.filter((one) => one.queue === queue && helps(one, lack)))) {
      if (isCovered(left)) break;
      going.push(keeper);
      left = subtract(left, keeper.holds);
    }
    return isCovered(left) ? going : [];
  });
}

function helps({ holds }: HoldingKeeper, lack: Resources): boolean {
  return Object.entries(lack).some(([name, amount]) => (holds[name] ?? 0) >= amount * LEAST_PART);
}

function isCovered(lack: Resources): boolean {
  return Object.values(lack).every((amount) => amount <= 0);
}
