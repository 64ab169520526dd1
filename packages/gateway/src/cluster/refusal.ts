import { isAlreadyExists, isKubeError, type KubeError } from "@kindling/kube";

/** What the API server's error means for an object that is to be created. */
export type Refusal =
  /** The same request may work later. */
  | { readonly kind: "for-now"; readonly message: string }
  /** The ResourceQuota of the namespace has no room. */
  | { readonly kind: "quota"; readonly message: string }
  /** An object of this name exists: perhaps an earlier attempt created it and the answer was lost. */
  | { readonly kind: "taken"; readonly message: string }
  /** It will never work. */
  | { readonly kind: "final"; readonly reason: string; readonly message: string };

/** Reads the error of a create request. An error that is not an answer of the API server is never final. */
export function refusalOf(error: unknown): Refusal {
  if (!isKubeError(error)) throw error;
  const message = wordsOf(error);
  if (isAlreadyExists(error)) return { kind: "taken", message };
  if (error.kind !== "status" || error.reason === undefined) return { kind: "for-now", message };
  const { status, reason } = error;
  if (status === 403 && message.includes("exceeded quota")) return { kind: "quota", message };
  if (isTransient(error, message)) return { kind: "for-now", message };
  return { kind: "final", reason, message };
}

function isTransient({ status }: KubeError & { kind: "status" }, message: string): boolean {
  if (status === 429 || status >= 500 || status === 409) return true;
  // The gateway's own rights or credentials are wrong: its administrator can fix that, and the application did nothing wrong.
  return status === 401 || (status === 403 && /cannot create resource/.test(message));
}

/** The message of the API server, or why there was no answer. */
export function wordsOf(error: KubeError): string {
  return error.kind === "status" && error.serverMessage !== "" ? error.serverMessage : error.message;
}
