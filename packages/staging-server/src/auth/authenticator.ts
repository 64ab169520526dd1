import type { AuthenticationMode } from "@kindling/staging-client";

/** A caller whose identity is proved. */
export interface Identity {
  /** A name for logs and listings. */
  readonly subject: string;
  mayUpload(namespace: string): Promise<Decision>;
  /** Whether the caller may see everything and run collections. */
  mayAdminister(): Promise<boolean>;
}

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** What a request says about its sender. */
export interface Credentials {
  /** The client that its address stands for: wrong tokens are counted by it. */
  readonly client: string;
  /** The token after `Bearer`. */
  readonly bearer: string | undefined;
  /** Of a client certificate that the configured authority has signed: common name, and organizations. */
  readonly certificate: { readonly name: string; readonly groups: readonly string[] } | undefined;
}

/** Decides who a caller is. The {@link Identity} decides what the caller may do. */
export interface Authenticator {
  readonly mode: AuthenticationMode;
  /**
   * @returns `undefined` for missing or wrong credentials
   * @throws ProblemError `store-unavailable` if this cannot be decided at present
   */
  authenticate(credentials: Credentials): Promise<Identity | undefined>;
}

/** Everybody may do everything: for a server that only its own machine can reach, or that is protected in another way. */
export function openToAll(): Authenticator {
  return {
    mode: "none",
    authenticate: () =>
      Promise.resolve({
        subject: "anonymous",
        mayUpload: () => Promise.resolve({ allowed: true }),
        mayAdminister: () => Promise.resolve(true),
      }),
  };
}
