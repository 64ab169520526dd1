import type { KubeClient } from "@kindling/kube";
import { accessReviews } from "@kindling/service";

/** The owner of a token, according to the API server. */
export interface TokenHolder {
  readonly username: string;
  readonly groups: readonly string[];
  readonly podName: string | undefined;
  readonly podUid: string | undefined;
}

/** Asks which pod's token it is; undefined if it is not valid for one of the audiences. */
export type ReviewToken = (token: string) => Promise<TokenHolder | undefined>;

/** Sends a TokenReview, and reads from its answer to which pod the token is bound (KEP-1205). */
export function tokenReviews(client: KubeClient, audiences: readonly string[]): ReviewToken {
  const reviews = accessReviews(client);
  const [first, ...others] = audiences;
  if (first === undefined) throw new Error("without an audience the API server would take its own");
  return async (token) => {
    const user = await reviews.reviewToken(token, [first, ...others]);
    return (
      user && {
        username: user.username,
        groups: user.groups,
        podName: user.extra["authentication.kubernetes.io/pod-name"]?.[0],
        podUid: user.extra["authentication.kubernetes.io/pod-uid"]?.[0],
      }
    );
  };
}
