import type { AuthenticationMode } from "@kindling/staging-client";

/** Somebody who has proved who they are. */
export interface Identity {
  /** A name for logs and listings. */
  readonly subject: string;
  mayUpload(namespace: string): Promise<Decision>;
  /** Whether they may see everything and run collections. */
  mayAdminister(): Promise<boolean>;
}

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** What a request shows of its sender. */
export interface Credentials {
  /** Whom its address stands for: wrong tokens are counted by it. */
  readonly client: string;
  /** The token behind `Bearer`. */
  readonly bearer: string | undefined;
  /** Of a client certificate that the configured authority has signed: common name, and organizations. */
  readonly certificate: { readonly name: string; readonly groups: readonly string[] } | undefined;
}

/** Decides who somebody is; what they may do is asked of the {@link Identity}. */
export interface Authenticator {
  readonly mode: AuthenticationMode;
  /**
   * @returns `undefined` for missing or wrong credentials
   * @throws ProblemError `store-unavailable` if that cannot be found out at present
   */
  authenticate(credentials: Credentials): Promise<Identity | undefined>;
}

/** Everybody may do everything: for a server that only its own machine can reach, or that something else guards. */
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
