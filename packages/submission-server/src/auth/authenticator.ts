/** What a client may do with the applications of a namespace. */
export type Right = "submit" | "view" | "log" | "kill";

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint?: string };

/** A client that has been authenticated. */
export interface Identity {
  /** A name for the log; limits are counted by it. */
  readonly subject: string;
  may(right: Right, namespace: string): Promise<Decision>;
}

/** The credentials of a request. */
export interface Credentials {
  /** The token in `Authorization: Bearer`. */
  readonly bearer: string | undefined;
  /** Common name of a client certificate that the configured CA has signed. */
  readonly certificate: string | undefined;
  /** The client that the address belongs to: wrong tokens are counted by it. */
  readonly client: string;
}

/** Authenticates clients; the {@link Identity} then says what they may do. */
export interface Authenticator {
  /** What a client must show, for one that is refused. */
  readonly wanted: string;
  /**
   * @returns undefined for missing or wrong credentials
   * @throws ProblemError `unavailable` if they cannot be checked at present
   */
  authenticate(credentials: Credentials): Promise<Identity | undefined>;
}

/** Everybody may do everything: for a service that can be reached only from its own machine. */
export const OPEN_TO_ALL: Authenticator = {
  wanted: "nothing",
  authenticate: () =>
    Promise.resolve({ subject: "anonymous", may: (): Promise<Decision> => Promise.resolve({ allowed: true }) }),
};

/** The first authenticator that knows the client decides. */
export function anyOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    wanted: authenticators.map(({ wanted }) => wanted).join("; or "),
    async authenticate(credentials) {
      for (const authenticator of authenticators) {
        const identity = await authenticator.authenticate(credentials);
        if (identity !== undefined) return identity;
      }
      return undefined;
    },
  };
}
