import type { Term } from "@kindling/controller";
import type { Dispatcher } from "../admission/dispatcher.ts";
import { DriverHealing } from "../controllers/memory-healing/driver-healing.ts";
import { MemoryHealing } from "../controllers/memory-healing/memory-healing.ts";
import { memoryRoom } from "../healing/memory-room.ts";
import type { DecisionParts } from "./assemble-decisions.ts";
import type { AssembleOptions } from "./assemble-options.ts";

/** Builds the part that gives more memory to the successors of executors that ended for lack of it. */
export function healMemory(
  term: Term,
  { clock, log, cluster, metrics, clusterRoom }: AssembleOptions,
  {
    applications,
    events,
    letGo,
    dispatcher,
  }: Pick<DecisionParts, "applications" | "events" | "letGo"> & { readonly dispatcher: Dispatcher },
): MemoryHealing {
  return new MemoryHealing(term, {
    ...{ clock, log, events, applications, letGo },
    podsOf: ({ namespace, driverRef }) => cluster.podsOwnedBy(namespace, driverRef),
    pod: (namespace, name) => cluster.pod(namespace, name),
    roomOf: ({ driverUid }, executor) =>
      memoryRoom(dispatcher.facts.situation().snapshot, driverUid, clusterRoom.shapes.of(executor)),
    // Kueue has admitted executors as they were asked for.
    isFixed: (driver) => dispatcher.facts.localQueueOf(driver) !== undefined,
    onGrown: () => dispatcher.changed(),
    onOutcome: (cause, outcome) => metrics.memory.inc({ cause, outcome }),
  });
}

/** Builds the part that finds out whether a driver that is started again needs more memory. */
export function healDrivers(
  { client }: Term,
  { log, clusterRoom }: AssembleOptions,
  { facts }: Dispatcher,
): DriverHealing {
  return new DriverHealing({
    ...{ client, log },
    roomOf: (driver) => memoryRoom(facts.situation().snapshot, driver.metadata.uid, clusterRoom.shapes.of(driver)),
  });
}
