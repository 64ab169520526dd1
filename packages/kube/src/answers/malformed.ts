import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { quoted, quotedCause, shownPath } from "../errors/quoted.ts";

const LONGEST_SHOWN_TEXT = 64;

/** An answer does not follow the Kubernetes protocol. The message says in what way; the caller knows the request. */
export class Malformed extends Error {}

/** The request to which an answer belongs. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** A malformed answer as an error of this package; whatever else was thrown is given back as it is. */
export function protocolError(asked: Asked, error: unknown): unknown {
  return error instanceof Malformed ? protocolFault(asked, error.message, error.cause) : error;
}

/**
 * The error for an answer that is not the Kubernetes protocol. A write may have been carried out: the answer says success,
 * but not what was done.
 */
export function protocolFault(asked: Asked, fault: string, cause?: unknown): KubeError {
  const path = shownPath(asked.path);
  return kubeError({ kind: "protocol" }, `${asked.method} ${path}: ${fault}`, {
    method: asked.method,
    path,
    attempts: 1,
    mayHaveHappened: asked.method !== "GET",
    hint: "check that the server's URL is that of a Kubernetes API server",
    cause: cause instanceof Error ? quotedCause(cause) : cause,
  });
}

/** Parses JSON; throws {@link Malformed}. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The usual cause is a proxy that answers instead of the API server.
    throw new Malformed(`${what} is not JSON`, { cause });
  }
}

/** Any JSON; throws a protocol error. */
export function parseJsonAnswer(asked: Asked, text: string): unknown {
  try {
    return parseJson(text, "the answer");
  } catch (error) {
    throw protocolError(asked, error);
  }
}

/** Formats a value of an answer for an error message. */
export function shownText(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(quoted(value, LONGEST_SHOWN_TEXT)) : "(none)";
}
