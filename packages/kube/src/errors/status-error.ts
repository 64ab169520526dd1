import type { IncomingHttpHeaders } from "node:http";
import { kubeError, type FieldError, type KubeError, type KubeErrorContext } from "./kube-error.ts";

/** `Status` of apimachinery's meta/v1, as far as a client needs it; every member may be missing in practice. */
export interface StatusObject {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly reason?: string; readonly message?: string }[];
    readonly retryAfterSeconds?: number;
  };
}

const LONGEST_FOREIGN_TEXT = 200;

/** The error for an answer outside 2xx. Its body is a Status object, or whatever a proxy on the way has put there. */
export function answerError(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  now: number,
  context: KubeErrorContext,
): KubeError {
  const object = parseStatus(body) ?? { message: foreignText(body) };
  return statusError({ ...object, code: status }, context, retryAfterSeconds(headers["retry-after"], now));
}

/** The error for a Status object, with which watches report faults in the middle of a stream, too. */
export function statusError(object: StatusObject, context: KubeErrorContext, retryAfter?: number): KubeError {
  const status = object.code ?? 500;
  // Validation messages of several fields may span lines.
  const serverMessage = (object.message ?? "").replaceAll(/\s*\n\s*/g, " ").trim();
  const words = [String(status), object.reason].filter(Boolean).join(" ");
  return kubeError(
    {
      kind: "status",
      status,
      reason: object.reason,
      serverMessage,
      causes: (object.details?.causes ?? []).map(fieldError),
      retryAfterSeconds: retryAfter ?? object.details?.retryAfterSeconds,
    },
    `${context.method} ${context.path}: ${words}${serverMessage === "" ? "" : `: ${serverMessage}`}`,
    context,
  );
}

function fieldError(cause: {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}): FieldError {
  return { field: cause.field ?? "", reason: cause.reason ?? "", message: cause.message ?? "" };
}

function parseStatus(body: string): StatusObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && "kind" in value && value.kind === "Status"
      ? (value as StatusObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A proxy's page or a plain line, cut to what fits into one line. */
function foreignText(body: string): string {
  const text = body
    .slice(0, 4 * LONGEST_FOREIGN_TEXT)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > LONGEST_FOREIGN_TEXT ? `${text.slice(0, LONGEST_FOREIGN_TEXT)}…` : text;
}

/** RFC 9110, 10.2.3: a number of seconds or a date. */
function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
