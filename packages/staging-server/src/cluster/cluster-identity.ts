import { isKubeError, resources, type KubeClient } from "@kindling/kube";
import { QUESTION_TIMEOUT_MS } from "./owner-view.ts";

/** Tells the API server of this server's cluster from whatever else may answer at its address. */
export interface ClusterIdentity {
  /** Whether it has been verified at least once. */
  readonly isKnown: boolean;
  /**
   * Asks what only an API server answers, and compares with what it has answered before.
   *
   * @throws if it is none, if it is that of another cluster, or if it does not answer
   */
  verify(signal: AbortSignal): Promise<void>;
}

/** What no two clusters have in common. */
interface Facts {
  /** Uid of the account that this server shows; users that the cluster does not keep itself have none. */
  readonly accountUid?: string;
  /** Uid of the system's namespace. */
  readonly clusterUid?: string;
}

const FACTS = ["accountUid", "clusterUid"] as const;
const SYSTEM_NAMESPACE = "kube-system";

/**
 * What is asked needs no rights beyond those that every account has (`system:basic-user`): a SelfSubjectReview, which
 * servers before 1.28 do not have, else a SelfSubjectAccessReview, else the version. The review tells the uid of this
 * server's ServiceAccount, which no other cluster has; where this server may read the namespace `kube-system`, its uid
 * tells the same of any account. Each is remembered from the first time on for as long as this process lives.
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
      throw new Error("a SelfSubjectReview is answered without saying who asks: that is no API server");
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

/** An answer, or undefined where this account may not ask, or the server does not know what is asked. */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && [403, 404, 405].includes(error.status)) return undefined;
    throw error;
  }
}

/** What every API server answers, however old, and nothing else does. */
async function speaksTheProtocol(client: KubeClient, signal: AbortSignal): Promise<void> {
  const spec = { resourceAttributes: { verb: "list", resource: "pods" } };
  const review = await optional(client.create(resources.selfsubjectaccessreviews, { spec } as object, limits(signal)));
  if (review !== undefined && typeof review.status?.allowed === "boolean") return;
  const version = await client.request({ method: "GET", path: "/version", ...limits(signal) });
  if (typeof version === "object" && version !== null && "gitVersion" in version && "major" in version) return;
  throw new Error("what answers at the API server's address is no API server");
}

function limits(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeoutMs: number } {
  return { signal, timeoutMs: QUESTION_TIMEOUT_MS };
}
