import { isKubeError, resources, type KubeClient } from "@kindling/kube";
import { QUESTION_TIMEOUT_MS } from "./owner-view.ts";

/** Checks that the API server of this server's cluster answers at its address, and not something else. */
export interface ClusterIdentity {
  /** Whether it has been verified at least once. */
  readonly isKnown: boolean;
  /**
   * Asks a question that only an API server answers, and compares the answer with earlier ones.
   *
   * @throws if it is no API server, if it is that of another cluster, or if it does not answer
   */
  verify(signal: AbortSignal): Promise<void>;
}

/** Values that differ in every two clusters. */
interface Facts {
  /** Uid of the account that this server uses; users that the cluster does not store itself have none. */
  readonly accountUid?: string;
  /** Uid of the system's namespace. */
  readonly clusterUid?: string;
}

const FACTS = ["accountUid", "clusterUid"] as const;
const SYSTEM_NAMESPACE = "kube-system";

/**
 * The questions need only rights that every account has (`system:basic-user`): a SelfSubjectReview, which servers before
 * 1.28 do not have, else a SelfSubjectAccessReview, else the version. The review has the uid of this server's
 * ServiceAccount, which no other cluster has. If this server may read the namespace `kube-system`, the uid of that
 * namespace identifies the cluster for any account. Each uid is remembered from the first time on for as long as this
 * process lives.
 */
export function clusterIdentity(client: KubeClient): ClusterIdentity {
  let known: Facts = {};
  let isKnown = false;
  let mayReadSystemNamespace = true;

  async function readAccount(signal: AbortSignal): Promise<Facts | undefined> {
    const review = await optional(client.create(resources.selfsubjectreviews, {}, limits(signal)));
    if (review === undefined) return undefined;
    const { username, uid = "" }: { username?: unknown; uid?: unknown } = review.status?.userInfo ?? {};
    if (typeof username !== "string" || username === "" || typeof uid !== "string") {
      throw new Error("a SelfSubjectReview is answered without a user: that is no API server");
    }
    return uid === "" ? {} : { accountUid: uid };
  }

  async function readSystemNamespace(signal: AbortSignal): Promise<Facts | undefined> {
    if (!mayReadSystemNamespace) return undefined;
    const namespace = await optional(client.get(resources.namespaces, SYSTEM_NAMESPACE, limits(signal)));
    mayReadSystemNamespace = namespace !== undefined || known.clusterUid !== undefined;
    const uid = namespace?.metadata?.uid;
    return uid === undefined ? undefined : { clusterUid: uid };
  }

  return {
    get isKnown() {
      return isKnown;
    },
    async verify(signal) {
      const [account, system] = [await readAccount(signal), await readSystemNamespace(signal)];
      if (account === undefined && system === undefined) await speaksTheProtocol(client, signal);
      const facts = { ...account, ...system };
      const isOther = FACTS.some((fact) => known[fact] !== undefined && known[fact] !== facts[fact]);
      if (isOther) throw new Error("the API server is not that of the cluster that this server has known so far");
      known = { ...known, ...facts };
      isKnown = true;
    },
  };
}

/** An answer, or undefined if this account may not ask, or the server does not know the question. */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && [403, 404, 405].includes(error.status)) return undefined;
    throw error;
  }
}

/** A question that every API server answers, however old, and nothing else does. */
async function speaksTheProtocol(client: KubeClient, signal: AbortSignal): Promise<void> {
  const spec = { resourceAttributes: { verb: "list", resource: "pods" } };
  const review = await optional(client.create(resources.selfsubjectaccessreviews, { spec } as object, limits(signal)));
  if (review !== undefined && typeof review.status?.allowed === "boolean") return;
  const version = await client.request({ method: "GET", path: "/version", ...limits(signal) });
  if (typeof version === "object" && version !== null && "gitVersion" in version && "major" in version) return;
  throw new Error("the server at the API server's address is no API server");
}

function limits(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeoutMs: number } {
  return { signal, timeoutMs: QUESTION_TIMEOUT_MS };
}
