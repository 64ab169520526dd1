import { appendFileSync } from "node:fs";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Log, LogDestination } from "../json-log.ts";
import { tokenBuckets } from "../sharing/token-buckets.ts";
import { type AuditComponent, type AuditEvent, auditLine } from "./audit-event.ts";

/** Where a service writes who was allowed to do what, and who was refused. */
export interface AuditLog {
  /** Whether events are written at all: then it is worth collecting what they need. */
  readonly isOn: boolean;
  /** Writes an event before it returns. Never fails: what cannot be written is counted in the next event. */
  write(event: AuditEvent): void;
}

export interface AuditLogOptions extends Pick<Outside, "clock" | "random"> {
  readonly component: AuditComponent;
  /** For `-`. */
  readonly stdout: LogDestination;
  readonly log: Log;
}

export const NO_AUDIT: AuditLog = { isOn: false, write: () => undefined };

/** Strangers can cause refusals without end: this many of them are written each second, and ten times that at once. */
const STRANGERS_PER_SECOND = 20;
const FAULTS_TOLD_EVERY_MS = 60_000;
/** Only the service's own user may read who did what. */
const MODE = 0o600;

/**
 * Opens the audit log.
 *
 * @param path a file that lines are added to; `-` for stdout; undefined for no audit log. The file is opened for each event,
 *   so that it can be renamed, or removed, at any time
 * @throws KindlingError `CONF_INVALID` if the file cannot be written
 */
export function openAuditLog(path: string | undefined, options: AuditLogOptions): AuditLog {
  if (path === undefined) return NO_AUDIT;
  const { clock, random, component, stdout, log } = options;
  const append = (line: string): void => {
    if (path === "-") stdout.write(line);
    else appendFileSync(path, line, { mode: MODE });
  };
  try {
    if (path !== "-") append("");
  } catch (error) {
    throw new KindlingError("CONF_INVALID", `the audit log cannot be written: ${messageOf(error)}`, {
      hint: "name a file in a folder that the service may write, or - for stdout",
      cause: error,
    });
  }
  const strangers = tokenBuckets({ clock, perSecond: STRANGERS_PER_SECOND, burstSeconds: 10, clientsInAll: 1 });
  let omitted = 0;
  let toldAt = -Infinity;
  return {
    isOn: true,
    write(event) {
      const isOfStranger = event.user === undefined && event.sourceIPs !== undefined;
      if (isOfStranger && !strangers.take("all")) {
        omitted += 1;
        return;
      }
      try {
        append(auditLine(event, { auditID: random.uuid(), time: clock.now(), component, omitted }));
        omitted = 0;
      } catch (error) {
        omitted += 1;
        if (clock.monotonic() - toldAt < FAULTS_TOLD_EVERY_MS) return;
        toldAt = clock.monotonic();
        log.error("the audit log cannot be written", { error: messageOf(error), omitted });
      }
    },
  };
}
