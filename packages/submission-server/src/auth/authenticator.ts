/** What somebody may do with the applications of a namespace. */
export type Right = "submit" | "view" | "log" | "kill";

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string; readonly hint?: string };

/** Somebody who has proved who they are. */
export interface Identity {
  /** A name for the log, and by which limits are kept. */
  readonly subject: string;
  may(right: Right, namespace: string): Promise<Decision>;
}

/** What a request shows of its sender. */
export interface Credentials {
  /** The token behind `Authorization: Bearer`. */
  readonly bearer: string | undefined;
  /** Common name of a client certificate that the configured authority has signed. */
  readonly certificate: string | undefined;
  /** Whom its address stands for: wrong tokens are counted by it. */
  readonly client: string;
}

/** Decides who somebody is; what they may do is asked of the {@link Identity}. */
export interface Authenticator {
  /** What a client has to show, for one that is turned away. */
  readonly wanted: string;
  /**
   * @returns undefined for missing or wrong credentials
   * @throws ProblemError `unavailable` if that cannot be found out at present
   */
  authenticate(credentials: Credentials): Promise<Identity | undefined>;
}

/** Everybody may do everything: for a service that only its own machine can reach. */
export const OPEN_TO_ALL: Authenticator = {
  wanted: "nothing",
  authenticate: () =>
    Promise.resolve({ subject: "anonymous", may: (): Promise<Decision> => Promise.resolve({ allowed: true }) }),
};

/** The first that knows somebody decides. */
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
