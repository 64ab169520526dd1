import { collectionOf } from "@kindling/api-server";
import type { DriverRequest } from "./driver-request.ts";

/**
 * Lets a watch that cannot go on where it stopped begin anew, with all objects. Kubernetes says 410 to such a watch, after
 * which a Spark driver never watches again and learns of its executors every 30 s only. What was deleted meanwhile, the
 * driver learns by its next list, as it does after 410.
 *
 * It cannot go on if the history does not reach back so far, or if the version is one of the future: this gateway's clock
 * may be behind that of the one that ran before.
 */
export function replayWhereHistoryEnds({ exchange: { query }, application: { view }, type }: DriverRequest): void {
  const asked = query.get("resourceVersion") ?? "";
  if (!/^\d+$/.test(asked) || asked === "0") return;
  const version = Number(asked);
  const { log } = collectionOf(view, type);
  if (log.positionAfter(version) !== undefined && version <= view.store.revision) return;
  query.delete("resourceVersion");
}
