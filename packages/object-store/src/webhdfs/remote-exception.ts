import { readBeginning, type HttpResponse } from "@kindling/http";
import type { StoreConnection } from "../connection.ts";
import { ObjectStoreError, type StoreFault } from "../object-store-error.ts";
import { refusalWords } from "../refusal-words.ts";

const MOST_BYTES = 16 * 1024;

// Exceptions of a name node that may pass: it starts, is overloaded, or another one is active.
const PASSING: ReadonlySet<string> = new Set([
  "StandbyException",
  "RetriableException",
  "SafeModeException",
  "ServerTooBusyException",
]);
const FULL: ReadonlySet<string> = new Set([
  "DSQuotaExceededException",
  "NSQuotaExceededException",
  "QuotaExceededException",
]);

/** The error for a refusal of a name node or a data node (Hadoop, "WebHDFS REST API", Error Responses). */
export async function refusal(
  asked: string,
  response: HttpResponse,
  { redact, clock, transport }: StoreConnection,
): Promise<ObjectStoreError> {
  const within = { clock, milliseconds: transport.stallTimeoutMs };
  const { exception, message } = remoteException(
    (await readBeginning(response, { mostBytes: MOST_BYTES, within })).text,
  );
  const { status, url } = response;
  // The other lines are a stack trace.
  const [firstLine] = (message ?? "").split("\n", 1);
  const words = refusalWords({ message: firstLine, code: exception, status }, redact);
  return new ObjectStoreError(faultOf(status, exception), `${url.host} refused ${asked}: ${words}`, {
    status,
    code: exception,
    retryable: isPassing(status, exception),
  });
}

function faultOf(status: number, exception: string | undefined): StoreFault {
  if (exception !== undefined && FULL.has(exception)) return "no-space";
  if (exception !== undefined && PASSING.has(exception)) return "server";
  if (status === 404) return "not-found";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 429 || status === 503) return "overloaded";
  return status >= 500 ? "server" : "rejected";
}

function isPassing(status: number, exception: string | undefined): boolean {
  if (exception !== undefined && FULL.has(exception)) return false;
  return (exception !== undefined && PASSING.has(exception)) || status >= 500 || status === 429 || status === 408;
}

function remoteException(text: string): { readonly exception?: string; readonly message?: string } {
  try {
    const document = JSON.parse(text) as { RemoteException?: { exception?: unknown; message?: unknown } } | null;
    const { exception, message } = document?.RemoteException ?? {};
    return {
      ...(typeof exception === "string" && { exception }),
      ...(typeof message === "string" && { message }),
    };
  } catch {
    return {};
  }
}
