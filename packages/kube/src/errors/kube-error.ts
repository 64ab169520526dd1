import type { StatusDetails } from "@kindling/kube-objects";

/** One fault of the server's answer to an invalid object: which field, and what is wrong with it. */
export interface FieldError {
  /** Path such as `spec.containers[0].image`; empty where the server names none. */
  readonly field: string;
  /** Kubernetes' word, such as `FieldValueInvalid`. */
  readonly reason: string;
  readonly message: string;
}

/** The part of a Status' `details` that names what it speaks of. */
export type NamedDetails = { readonly [K in "group" | "kind" | "name"]: StatusDetails[K] | undefined };

export type TlsFaultReason =
  | "expired"
  | "not-yet-valid"
  | "hostname"
  | "unknown-ca"
  | "client-certificate-expired"
  | "other";

/** What went wrong, by kind; the other members belong only to that kind. */
export type KubeFault =
  /** No usable connection, or it broke off. */
  | { readonly kind: "unreachable"; readonly code: string | undefined }
  /** Nothing came in time: no connection, no answer, or no data on a stream that should send some. */
  | { readonly kind: "timeout"; readonly phase: "connect" | "answer" | "idle"; readonly milliseconds: number }
  | { readonly kind: "tls"; readonly reason: TlsFaultReason; readonly code: string | undefined }
  /** There are no credentials: a plug-in failed, a token file is unreadable, or a package is missing. */
  | { readonly kind: "credentials" }
  /** The server answered with an error. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** The `reason` of the Status object, such as `AlreadyExists`. */
      readonly reason: string | undefined;
      /** The server's own words, a kibibyte at most. */
      readonly serverMessage: string;
      readonly causes: readonly FieldError[];
      /** The server's advice, from `Retry-After` or the Status object. */
      readonly retryAfterSeconds: number | undefined;
      /** Only if the answer was a Status object with the same code as the answer: a proxy's page has none. */
      readonly details?: NamedDetails | undefined;
    }
  /** The server answered with something that is not the Kubernetes protocol. */
  | { readonly kind: "protocol" }
  /** The caller's own signal, or `close()`. */
  | { readonly kind: "aborted" }
  /** A kubeconfig, a certificate file or an option is wrong. */
  | { readonly kind: "config"; readonly file: string | undefined };

export type KubeErrorKind = KubeFault["kind"];

/** Facts about a kind, for programs and for the reference of errors. */
export interface KubeErrorKindEntry {
  /** Who can fix it: the user, or the administrator of the cluster. */
  readonly audience: "user" | "operator";
  /** Whether the same request may succeed later without any change; for a `status`, this depends on its number. */
  readonly retryable: boolean;
  /** One sentence, without a full stop. */
  readonly meaning: string;
}

/** Every kind. A name is never reused for another meaning. */
export const KUBE_ERROR_KINDS: Readonly<Record<KubeErrorKind, KubeErrorKindEntry>> = {
  unreachable: { audience: "operator", retryable: true, meaning: "no usable connection, or it broke" },
  timeout: {
    audience: "operator",
    retryable: true,
    meaning: "nothing came in time: no connection, no answer, or silence",
  },
  tls: {
    audience: "operator",
    retryable: false,
    meaning: "a certificate is not valid, the server's or the client's own",
  },
  credentials: { audience: "user", retryable: false, meaning: "there are no credentials for the API server" },
  status: { audience: "operator", retryable: false, meaning: "the API server answered with an error" },
  protocol: { audience: "operator", retryable: false, meaning: "the answer does not follow Kubernetes' protocol" },
  aborted: { audience: "user", retryable: false, meaning: "the caller's signal, or `close()`, ended it" },
  config: { audience: "user", retryable: false, meaning: "a kubeconfig, a certificate file or an option is wrong" },
};

export interface KubeErrorContext {
  /** HTTP method of the failed request. */
  readonly method?: string | undefined;
  /** Path and query of the failed request, without the server's address. */
  readonly path?: string | undefined;
  /** How many times the request was sent or tried. */
  readonly attempts?: number | undefined;
  /**
   * Whether this or an earlier attempt may have been carried out although no success was seen: a connection that broke after
   * the request went out, a time-out, a 5xx, an answer of success that cannot be read or is about something else. After a
   * create, a 409 with this set may be about the object that the create itself has made.
   */
  readonly mayHaveHappened?: boolean | undefined;
  /** What the user can do about it: one line without a full stop. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

// One process may contain two copies of this package (a bundled command and a plug-in), so `instanceof` would be wrong.
const BRAND = Symbol.for("@kindling/kube/KubeError");

class KubeFailure extends Error {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly attempts: number;
  readonly mayHaveHappened: boolean;
  readonly hint: string | undefined;

  constructor(message: string, context: KubeErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = "KubeError";
    this.method = context.method;
    this.path = context.path;
    this.attempts = context.attempts ?? 0;
    this.mayHaveHappened = context.mayHaveHappened ?? false;
    this.hint = context.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * Every error of this package: narrow it by `kind`. The message is one line that names method and path, or file and entry,
 * and quotes at most a kibibyte of what a server or a plug-in has said; neither message nor hint ever holds a token, a key or
 * a password. Quoted text is unchanged: the code that prints it must make control characters harmless.
 */
export type KubeError = KubeFailure & KubeFault;

export function kubeError(fault: KubeFault, message: string, context: KubeErrorContext = {}): KubeError {
  return Object.assign(new KubeFailure(message, context), fault);
}

/** Whether a value is a {@link KubeError}, whichever copy of this package made it. */
export function isKubeError(value: unknown): value is KubeError {
  return typeof value === "object" && value !== null && BRAND in value;
}
