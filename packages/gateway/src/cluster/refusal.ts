import { isAlreadyExists, isKubeError, type KubeError } from "@kindling/kube";

/** What the API server's answer means for an object that is to be made. */
export type Refusal =
  /** It may work later, with nothing changed. */
  | { readonly kind: "for-now"; readonly message: string }
  /** The namespace has no room by its ResourceQuota. */
  | { readonly kind: "quota"; readonly message: string }
  /** An object of the name is there: perhaps the very one that an attempt made whose answer was lost. */
  | { readonly kind: "taken"; readonly message: string }
  /** It never works. */
  | { readonly kind: "final"; readonly reason: string; readonly message: string };

/** Reads the error of a create. What is no answer of an API server is never final. */
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
  // The gateway's own rights or credentials: whoever runs it can mend that, and the application is not to blame.
  return status === 401 || (status === 403 && /cannot create resource/.test(message));
}

/** What the API server says, or what kept it from saying anything. */
export function wordsOf(error: KubeError): string {
  return error.kind === "status" && error.serverMessage !== "" ? error.serverMessage : error.message;
}
