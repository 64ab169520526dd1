import type { Outside } from "@kindling/outside";
import { type Log, type LogDestination, openAuditLog } from "@kindling/service";
import { SessionAudit } from "../audit/session-audit.ts";
import type { ConnectConfig } from "../config/connect-keys.ts";

/**
 * Opens the audit log, if there is one.
 *
 * @param stdout for an audit log between the lines of the service's log
 * @throws KindlingError `CONF_INVALID` if it cannot be written
 */
export function openAudit(
  config: ConnectConfig,
  { clock, random }: Pick<Outside, "clock" | "random">,
  log: Log,
  stdout: LogDestination,
): SessionAudit {
  const auditLog = openAuditLog(config["audit.logPath"], { clock, random, log, stdout, component: "connect" });
  return new SessionAudit({ clock, log, auditLog });
}
