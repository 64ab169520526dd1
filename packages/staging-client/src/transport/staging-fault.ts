import { harmlessText } from "@kindling/core-spec";
import { connectionFault, type HttpError, type HttpRequest } from "@kindling/http";
import { isStagingError, StagingError, type StagingFault } from "../errors.ts";

/** What a request without an answer, or an answer without an end, means to the user. */
export function stagingFault(error: unknown, { url, reach }: Pick<HttpRequest, "url" | "reach">): StagingError {
  if (isStagingError(error)) return error;
  const fault = connectionFault(error, url.origin);
  if (fault.kind === "aborted") return new StagingError("cancelled", "cancelled", { cause: fault });
  // It may quote names that stand in a certificate.
  return new StagingError(
    fault.kind === "address" && reach === undefined ? "insecure" : FAULTS[fault.kind],
    harmlessText(fault.kind === "address" ? fault.words : fault.message),
    {
      retryable: fault.retryable,
      cause: fault,
      ...(fault.hint !== undefined && { hint: fault.hint }),
    },
  );
}

const FAULTS: Readonly<Record<HttpError["kind"], StagingFault>> = {
  unreachable: "connect",
  proxy: "connect",
  tls: "tls",
  timeout: "stalled",
  // Of a host that somebody else has named; of `localhost`, that it is another machine.
  address: "redirect",
  protocol: "protocol",
  options: "protocol",
  aborted: "cancelled",
};
