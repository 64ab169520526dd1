import type { IncomingHttpHeaders } from "node:http";
import { kubeError, type KubeError, type KubeErrorContext } from "./kube-error.ts";
import { parseStatusObject, type StatusObject } from "./status-object.ts";

const LONGEST_FOREIGN_TEXT = 200;

/** The error for an answer outside 2xx. Its body is a Status object, or a page of a proxy. */
export function answerError(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  now: number,
  context: KubeErrorContext,
): KubeError {
  const object = parseStatus(body);
  const serverMessage = object?.message ?? foreignText(body);
  const retryAfter = retryAfterSeconds(headers["retry-after"], now) ?? object?.retryAfterSeconds;
  return failure(status, object, serverMessage, retryAfter, context);
}

/** The error for a Status object with which a watch reports a fault in the middle of its stream. */
export function statusError(object: StatusObject & { readonly code: number }, context: KubeErrorContext): KubeError {
  return failure(object.code, object, object.message, object.retryAfterSeconds, context);
}

function failure(
  status: number,
  object: StatusObject | undefined,
  serverMessage: string,
  retryAfterSeconds: number | undefined,
  context: KubeErrorContext,
): KubeError {
  const reason = object?.reason;
  const words = [String(status), reason].filter(Boolean).join(" ");
  return kubeError(
    {
      kind: "status",
      status,
      reason,
      serverMessage,
      causes: object?.causes ?? [],
      retryAfterSeconds,
      details: object?.code === status ? object.details : undefined,
    },
    `${context.method} ${context.path}: ${words}${serverMessage === "" ? "" : `: ${serverMessage}`}`,
    context,
  );
}

function parseStatus(body: string): StatusObject | undefined {
  try {
    return parseStatusObject(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** A proxy's page or plain text, shortened to one line. */
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
