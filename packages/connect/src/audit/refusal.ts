import type { AuditDecision } from "@kindling/service";
import type { GrpcCode, GrpcError } from "../grpc/grpc-status.ts";

/** That a call was not carried out, for the audit log. */
export interface Refusal {
  readonly decision: AuditDecision;
  readonly reason: string;
}

/** Errors whose texts may quote a pod's log, or a value of a profile: the code and these words are told instead. */
const TOLD_IN_PART: Partial<Record<GrpcCode, string>> = {
  FAILED_PRECONDITION: "no driver can be had",
  INTERNAL: "a fault of the service",
  UNAVAILABLE: "not possible at present",
};

/** What the error of a call is for the audit log; `undefined` if nobody was refused anything. */
export function refusalOf({ code, message, sparkErrorClass }: GrpcError): Refusal | undefined {
  // The client has gone away, or asks for something that was on a driver which is gone.
  if (code === "CANCELLED" || (code === "INTERNAL" && sparkErrorClass !== undefined)) return undefined;
  const words = TOLD_IN_PART[code];
  return words === undefined
    ? { decision: "forbid", reason: `${message} (${code})` }
    : { decision: "error", reason: `${words} (${code})` };
}
