import { harmlessText } from "@kindling/core-spec";
import { connectionFault, type HttpError, type HttpRequest, type Reach } from "@kindling/http";
import { isStagingError, StagingError, type StagingFault } from "../errors.ts";

/** Turns a missing or incomplete answer into an error for the user. */
export function stagingFault(error: unknown, { url, reach }: Pick<HttpRequest, "url" | "reach">): StagingError {
  if (isStagingError(error)) return error;
  const fault = connectionFault(error, url.origin);
  if (fault.kind === "aborted") return new StagingError("cancelled", "cancelled", { cause: fault });
  // It may quote names from a certificate.
  const message = harmlessText(fault.kind === "address" ? fault.words : fault.message);
  return new StagingError(nameOf(fault, reach), message, {
    retryable: fault.retryable,
    cause: fault,
    ...(fault.hint !== undefined && { hint: fault.hint }),
  });
}

function nameOf({ kind, retryable }: HttpError, reach: Reach | undefined): StagingFault {
  // Not for a host from a redirect: there, `localhost` means another machine.
  if (kind === "address" && reach === undefined) return "insecure";
  if (kind === "protocol" && retryable) return "connect";
  return FAULTS[kind];
}

const FAULTS: Readonly<Record<HttpError["kind"], StagingFault>> = {
  unreachable: "connect",
  proxy: "connect",
  tls: "tls",
  timeout: "stalled",
  address: "redirect",
  protocol: "protocol",
  options: "protocol",
  aborted: "cancelled",
};
