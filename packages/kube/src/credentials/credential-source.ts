/** PEM texts of a client certificate (chain) and its private key. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What proves the caller's identity in one request. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization?: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Further headers: impersonation. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** Hands out credentials that may change with time. Safe to ask concurrently. */
export interface CredentialSource {
  /**
   * Credentials to use now; returned at once if nothing must be fetched. Rejects with a KubeError of kind `credentials`.
   *
   * @param signal aborts when the caller stops waiting; a fetch for which nobody waits is ended
   */
  current(signal?: AbortSignal): Credentials | Promise<Credentials>;
  /** Called when the server answered 401 to these; the next `current()` should try to return others. */
  reject(used: Credentials): void;
  /** For error messages: which file and user entry these credentials come from. */
  readonly description: string;
}
