import type { RecordChange } from "@kindling/controller";
import type { SessionAudit } from "../audit/session-audit.ts";
import type { DriverRecord } from "./driver-record.ts";

/** Tells the end of a driver once: when its pod has ended, or else when it is gone. */
export function tellEnd({ type, ...change }: RecordChange<DriverRecord>, audit: SessionAudit): void {
  const { record } = change;
  if (type === "deleted") {
    audit.driverEnded(record, "its pod was deleted");
    audit.driverGone(record);
  } else if (record.phase === "ended") {
    // An earlier process has told of drivers that are listed as ended.
    if (type === "added") audit.driverEndedBefore(record);
    else audit.driverEnded(record, record.end ?? "it ended by itself");
  }
}
