/** What a client may do with the applications of a namespace. */
export type Right = "submit" | "view" | "log" | "kill";

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint?: string };

/** A client that has been authenticated. */
export interface Identity {
  /** A name for the log; limits are counted by it. */
  readonly subject: string;
  /** The groups that it is in, as far as they are known. */
  readonly groups: readonly string[];
  /** The id of the token that was shown, if it has one. */
  readonly credentialID?: string | undefined;
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

/** Credentials that are of the right kind, and are not accepted. */
export interface Refused {
  /** One sentence for the client, without any part of a secret. */
  readonly refused: string;
}

/** Authenticates clients; the {@link Identity} then says what they may do. */
export interface Authenticator {
  /** What a client must show, for one that is refused. */
  readonly wanted: string;
  /**
   * @returns undefined for missing or wrong credentials; the reason, if it is known and the client may know it
   * @throws ProblemError `unavailable` if they cannot be checked at present
   */
  authenticate(credentials: Credentials): Promise<Identity | Refused | undefined>;
}

/** Everybody may do everything: for a service that can be reached only from its own machine. */
export const OPEN_TO_ALL: Authenticator = {
  wanted: "nothing",
  authenticate: () =>
    Promise.resolve({
      subject: "anonymous",
      groups: [],
      may: (): Promise<Decision> => Promise.resolve({ allowed: true }),
    }),
};

/** The first authenticator that knows the client decides. */
export function anyOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    wanted: authenticators.map(({ wanted }) => wanted).join("; or "),
    async authenticate(credentials) {
      let refused: Refused | undefined;
      for (const authenticator of authenticators) {
        const found = await authenticator.authenticate(credentials);
        if (found !== undefined && !("refused" in found)) return found;
        refused ??= found;
      }
      return refused;
    },
  };
}
