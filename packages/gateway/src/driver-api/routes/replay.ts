import { collectionOf } from "@kindling/api-server";
import type { DriverRequest } from "./driver-request.ts";

/**
 * If a watch cannot continue where it stopped, it starts again with all objects. Kubernetes answers 410 to such a watch.
 * After a 410 a Spark driver never watches again, and sees changes of its executors only every 30 s. The driver learns about
 * deletions in the meantime by its next list, as it does after 410.
 *
 * A watch cannot continue if the history does not reach back far enough, or if its version is in the future: this gateway's
 * clock may be behind the clock of the earlier gateway.
 */
export function replayWhereHistoryEnds({ exchange: { query }, application: { view }, type }: DriverRequest): void {
  const asked = query.get("resourceVersion") ?? "";
  if (!/^\d+$/.test(asked) || asked === "0") return;
  const version = Number(asked);
  const { log } = collectionOf(view, type);
  if (log.positionAfter(version) !== undefined && version <= view.store.revision) return;
  query.delete("resourceVersion");
}
