import type { Exchange, Intercept, RequestTarget } from "@kindling/api-server";
import type { Random } from "@kindling/outside";
import { type AuditedObject, type AuditLog, clientOfAddress } from "@kindling/service";
import { podUidOf } from "../identity/driver-authenticator.ts";

export interface AuditRequestsOptions {
  readonly auditLog: AuditLog;
  readonly random: Pick<Random, "uuid">;
  /** The id of the application of a driver; undefined if it has just gone. */
  readonly applicationOf: (driverUid: string) => string | undefined;
}

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/**
 * Writes each request of a driver that changes something, and each that is refused for who asks. As in Kubernetes, the id is
 * in the header field `Audit-Id` of the answer.
 */
export function auditRequests({ auditLog, random, applicationOf }: AuditRequestsOptions): Intercept {
  return (exchange, target, verb) => {
    if (!auditLog.isOn) return Promise.resolve(false);
    const { request, response } = exchange;
    const requestID = random.uuid();
    // A connection that is closed has no address any more.
    const { remoteAddress = "" } = request.socket;
    response.setHeader("Audit-Id", requestID);
    response.once("close", () => {
      const status = exchange.fault?.status.code ?? response.statusCode;
      if (!WRITES.has(verb) && !REFUSALS.has(status)) return;
      const { user } = exchange;
      const isKnown = podUidOf(user) !== "";
      auditLog.write({
        verb,
        decision: status < 400 ? "allow" : status < 500 ? "forbid" : "error",
        reason: reasonOf(exchange),
        user: isKnown ? { username: user.name, groups: user.groups } : undefined,
        sourceIPs: [clientOfAddress(remoteAddress)],
        object: objectOf(exchange, target, isKnown ? applicationOf(podUidOf(user)) : undefined),
        requestID,
      });
    });
    return Promise.resolve(false);
  };
}

function reasonOf({ fault, response }: Exchange): string {
  if (fault !== undefined) return fault.message;
  return response.writableFinished ? "done" : "the client left before the answer";
}

function objectOf(
  { objectName }: Exchange,
  target: RequestTarget,
  application: string | undefined,
): AuditedObject | undefined {
  if (target.kind === "other") return undefined;
  const { namespace, plural, subresource, name } = target;
  const resource = subresource === "" ? plural : `${plural}/${subresource}`;
  return { namespace, application, resource, name: name ?? objectName };
}
