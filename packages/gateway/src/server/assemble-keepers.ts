import type { Term } from "@kindling/controller";
import { announcementOf } from "../admission/demand/announcement.ts";
import { keepers } from "../controllers/keepers/keepers.ts";
import type { WantedRoom } from "../controllers/keepers/wanted-room.ts";
import type { AssembleOptions } from "./assemble-options.ts";

/** Gives back what ended executors had, and deletes their pods when nobody wants their shuffle files any more. */
export function careForKeepers(term: Term, options: AssembleOptions, wanted: WantedRoom): void {
  const { config, clock, log, auditLog, cluster, clusterRoom, queues, metrics } = options;
  const controller = keepers(term, {
    ...{ clock, log, auditLog, cluster, wanted, giveWayMs: config["keepers.giveWayAfter"] * 1000 },
    requestsOf: (pod) => clusterRoom.shapes.of(pod).requests,
    queueOf: (driver) => queues.queueOf(announcementOf(driver, 0).queue),
    perQueue: config["keepers.perQueue"],
    nodeMs: config["keepers.nodeTimeout"] * 1000,
    onOutcome: (outcome) => metrics.keepers.inc({ outcome }),
  });
  term.run(controller);
}
