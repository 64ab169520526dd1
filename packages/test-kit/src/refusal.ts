import type { Answer } from "./api-client.ts";
import { expectMatch, type Pattern } from "./matches.ts";

/** How a request is refused. */
export interface Refusal {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string | RegExp;
  /** The faults of the object, as `field: message` with the reason in front: `FieldValueRequired spec: Required value`. */
  readonly causes?: readonly string[];
  readonly details?: Pattern;
}

/** @throws AssertionError unless the answer is a Status with this refusal. */
export function expectRefusal(answer: Answer, refusal: Refusal): void {
  const { code, reason, message, causes, details } = refusal;
  expectMatch(answer.status, code, `the code of ${answer.text.slice(0, 300)}`);
  expectMatch(answer.body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    code,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    ...(details === undefined ? {} : { details }),
  });
  if (causes !== undefined) expectMatch(causesOf(answer), causes, "its causes");
}

/** The causes of a Status, in the form of `Refusal.causes`. */
export function causesOf({ body }: Answer): string[] {
  const details = body["details"] as { causes?: { reason?: string; field?: string; message?: string }[] } | undefined;
  return (details?.causes ?? []).map(({ reason = "", field = "", message = "" }) => `${reason} ${field}: ${message}`);
}

/** @throws AssertionError unless the request succeeded, with this code if it is given. */
export function expectSuccess(answer: Answer, code?: number): void {
  if (code === undefined ? answer.status >= 300 : answer.status !== code)
    expectMatch(answer.status, code ?? 200, `the code of ${answer.text.slice(0, 500)}`);
}
