import { isKubeError, type KubeClient } from "@kindling/kube";

/** Whom a token belongs to, as the API server says. */
export interface TokenHolder {
  readonly username: string;
  readonly groups: readonly string[];
  readonly podName: string | undefined;
  readonly podUid: string | undefined;
}

interface TokenReviewAnswer {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly audiences?: readonly string[];
    readonly user?: {
      readonly username?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

/** Asks whom a token belongs to; undefined if it is not good for one of the audiences. */
export type ReviewToken = (token: string) => Promise<TokenHolder | undefined>;

/** TokenReview of an API server (authentication.k8s.io/v1). */
export function tokenReviews(client: KubeClient, audiences: readonly string[]): ReviewToken {
  return async (token) => {
    const { status } = await ask(client, token, audiences);
    const user = status?.user;
    if (status?.authenticated !== true || user?.username === undefined || user.username === "") return undefined;
    // An authenticator that knows nothing of audiences names none; then the token was not made for the gateway.
    if (!audiences.some((audience) => status.audiences?.includes(audience) === true)) return undefined;
    return {
      username: user.username,
      groups: user.groups ?? [],
      podName: user.extra?.["authentication.kubernetes.io/pod-name"]?.[0],
      podUid: user.extra?.["authentication.kubernetes.io/pod-uid"]?.[0],
    };
  };
}

async function ask(client: KubeClient, token: string, audiences: readonly string[]): Promise<TokenReviewAnswer> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token, audiences } };
  try {
    return await client.request({ method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", body });
  } catch (error) {
    throw withoutWords(error);
  }
}

/** An answer may quote the question, which holds a credential: only its kind is told. */
function withoutWords(error: unknown): unknown {
  if (!isKubeError(error)) return error;
  return new Error(
    `a TokenReview was not answered: ${error.kind === "status" ? `status ${error.status}` : error.kind}`,
  );
}
