/** Questions to a Kubernetes API server about users; only the part that services need. */
export interface ClusterAccessReviews {
  /**
   * TokenReview: the user of a bearer token.
   *
   * @returns `undefined` if the token is not valid for one of the audiences
   */
  reviewToken(token: string, audiences: readonly [string, ...string[]]): Promise<ReviewedUser | undefined>;
  /** SubjectAccessReview. */
  reviewAccess(
    user: ReviewedUser,
    action: ReviewedAction,
  ): Promise<{ readonly allowed: boolean; readonly reason: string }>;
}

export interface ReviewedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The entry of `extra` with the id of the credential: Kubernetes 1.32 sets it to `JTI=` and the token's `jti`. */
export const CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

export interface ReviewedAction {
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent for all namespaces. */
  readonly namespace?: string;
}
