import { isKubeError, type KubeClient } from "@kindling/kube";
import type { ClusterAccessReviews, ReviewedUser } from "./cluster-access-reviews.ts";

interface TokenReviewAnswer {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly audiences?: readonly string[];
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

interface AccessReviewAnswer {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string };
}

/** TokenReview and SubjectAccessReview of an API server (authentication.k8s.io/v1, authorization.k8s.io/v1). */
export function accessReviews(client: KubeClient): ClusterAccessReviews {
  return {
    async reviewToken(token, audiences): Promise<ReviewedUser | undefined> {
      const { status } = await askAboutToken(client, token, audiences);
      const user = status?.user;
      if (status?.authenticated !== true || user?.username === undefined || user.username === "") return undefined;
      // An authenticator without support for audiences returns none; then the token was not issued for this server.
      if (!audiences.some((audience) => status.audiences?.includes(audience) === true)) return undefined;
      return { username: user.username, uid: user.uid ?? "", groups: user.groups ?? [], extra: user.extra ?? {} };
    },
    async reviewAccess(user, { verb, resource, subresource, namespace }) {
      const { status } = await client.request<AccessReviewAnswer>({
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SubjectAccessReview",
          spec: {
            user: user.username,
            uid: user.uid,
            groups: user.groups,
            extra: user.extra,
            resourceAttributes: {
              ...{ verb, resource, group: "" },
              ...(subresource !== undefined && { subresource }),
              ...(namespace !== undefined && { namespace }),
            },
          },
        },
      });
      return { allowed: status?.allowed === true && status.denied !== true, reason: status?.reason ?? "" };
    },
  };
}

async function askAboutToken(
  client: KubeClient,
  token: string,
  audiences: readonly string[],
): Promise<TokenReviewAnswer> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token, audiences } };
  try {
    return await client.request({ method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", body });
  } catch (error) {
    throw withoutWords(error);
  }
}

/** An answer may quote the request, which contains a credential. So only the kind and status of an error are reported. */
function withoutWords(error: unknown): unknown {
  if (!isKubeError(error)) return error;
  if (error.kind === "status") return new Error(`the API server answers a TokenReview with status ${error.status}`);
  if (error.kind === "protocol") return new Error("the answer to a TokenReview does not come from an API server");
  return error;
}
