import { isDnsLabel, KindlingError, quotedName } from "@kindling/core-spec";
import { isKubeError, type KubeClient } from "@kindling/kube";
import { tokenClaims } from "@kindling/staging-client";
import type { Clock } from "@kindling/outside";
import { clusterError } from "./cluster-error.ts";

/**
 * Returns a token of a service account: the same one until it must be renewed. The first call asks the API server.
 *
 * @param refused a token that was not accepted: it may have ended early
 * @throws KindlingError
 */
export type AccountToken = (refused?: string) => Promise<string>;

/** What a token is for, in the words of errors. */
export interface TokenPurpose {
  /** Who gets it: `the staging server`. */
  readonly service: string;
  /** What it allows: `upload for` a namespace. */
  readonly allows: string;
  /** What a user can do without such a token. */
  readonly instead: string;
}

export interface WantedToken {
  /** A service account of the namespace. */
  readonly account: string;
  readonly audience: string;
  readonly purpose: TokenPurpose;
  /** How long it is to be accepted; an API server may give it less or more. Default: 600, the least. */
  readonly lifeSeconds?: number;
}

/** Asks the API server once, for a namespace. */
export type AskCluster = <T>(ask: (client: KubeClient, namespace: string) => Promise<T>) => Promise<T>;

// The shortest lifetime of a token that an API server allows (authentication.k8s.io/v1, TokenRequestSpec).
const LIFE_SECONDS = 600;
const RENEWED_AFTER = 0.8;
// A younger token was not refused because of its age, and a new one would be refused too.
const OLD_ENOUGH_MS = 30_000;
const PATIENCE_MS = 10_000;
const LONGEST_TOKEN = 16 * 1024;

interface Minted {
  readonly token: string;
  /** Milliseconds since the epoch, by this machine's clock, which also runs while the machine sleeps. */
  readonly at: number;
  readonly lifeMs: number;
}

/**
 * Tokens of a service account for one audience (TokenRequest). The caller's own credentials, or tokens of other accounts, are
 * never used instead: a server that received them could act as the caller, or as the driver, at the API server.
 */
export function accountToken(wanted: WantedToken, askCluster: AskCluster, clock: Clock): AccountToken {
  let current: Minted | undefined;
  let renewing: Promise<string> | undefined;
  let patientUntil = 0;

  /** Shared by all requests that need a renewal at the same time. */
  const renew = (): Promise<string> => {
    renewing ??= askCluster(async (client, namespace) => {
      const token = await requestToken(client, { ...wanted, namespace });
      current = { token, at: clock.now(), lifeMs: lifeMs(token) };
      return token;
    }).finally(() => (renewing = undefined));
    return renewing;
  };

  return async (refused) => {
    if (current === undefined) return await renew();
    const { token, at, lifeMs } = current;
    const age = clock.now() - at;
    // If the clock was set back, the age is unknown.
    const isOver = age < 0 || age >= lifeMs || (refused === token && age > OLD_ENOUGH_MS);
    if (isOver) return await renew();
    if (age < lifeMs * RENEWED_AFTER || clock.now() < patientUntil) return token;
    try {
      return await renew();
    } catch {
      // The token is still valid for a while, and the API server may come back; it is asked again soon.
      patientUntil = clock.now() + PATIENCE_MS;
      return token;
    }
  };
}

function lifeMs(token: string): number {
  const { expires, issuedAt } = tokenClaims(token) ?? {};
  // Both times are by the API server's clock, which may differ from this machine's.
  const seconds = expires === undefined || issuedAt === undefined ? LIFE_SECONDS : expires - issuedAt;
  return Math.max(0, seconds) * 1000;
}

interface Wanted extends WantedToken {
  readonly namespace: string;
}

async function requestToken(client: KubeClient, wanted: Wanted): Promise<string> {
  const { namespace, account, audience, purpose, lifeSeconds = LIFE_SECONDS } = wanted;
  if (!isDnsLabel(namespace)) {
    throw new KindlingError("CONF_INVALID", `${quotedName(namespace)} is not the name of a namespace`);
  }
  let answer: { readonly status?: { readonly token?: unknown } | null } | null;
  try {
    answer = await client.request({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { audiences: [audience], expirationSeconds: lifeSeconds },
      },
    });
  } catch (error) {
    throw refusedRequest(error, wanted);
  }
  const token = answer?.status?.token;
  const fault = typeof token === "string" ? tokenFault(token, wanted) : "it has none in its answer";
  if (typeof token === "string" && fault === undefined) return token;
  throw new KindlingError(
    "CLUSTER_REFUSED",
    `the API server was asked for a token for ${audience}, and ${fault}: nothing is sent to ${purpose.service}`,
    { hint: `something between this machine and the API server may change TokenRequests; ${purpose.instead}` },
  );
}

/**
 * Why a token is not the one that was asked for. A token that is valid for somebody else, such as the API server itself,
 * could be misused by the server that is named as staging server. Kubernetes makes JSON Web Tokens, which name their
 * audience; for any other token, only the API server's word is known.
 */
function tokenFault(token: string, { namespace, account, audience }: Wanted): string | undefined {
  if (token.length > LONGEST_TOKEN || !/^[\x21-\x7e]+$/.test(token)) return "what came is no token";
  const claims = tokenClaims(token);
  if (claims === undefined) return undefined;
  const { audiences, subject, issuer } = claims;
  if (audiences.length !== 1 || audiences[0] !== audience) {
    return `the one that came is for ${audiences.length === 0 ? "nobody in particular" : quotedName(audiences.join(", "))}`;
  }
  if (issuer === audience) return "that is the API server's own audience";
  if (subject === undefined || subject === `system:serviceaccount:${namespace}:${account}`) return undefined;
  return `the one that came is of ${quotedName(subject)} instead of ${account}`;
}

function refusedRequest(error: unknown, { namespace, account, purpose }: Wanted): KindlingError {
  const known = clusterError(error);
  const status = isKubeError(error) && error.kind === "status" ? error.status : undefined;
  if (status === 404 && known.message.includes(`"${account}" not found`)) {
    return new KindlingError(
      "OBJECT_NOT_FOUND",
      `namespace ${namespace} has no service account ${account}, and ${purpose.service} asks for its token`,
      { hint: `make it with: kubectl -n ${namespace} create serviceaccount ${account}`, cause: error },
    );
  }
  if ((status === 404 && !known.message.startsWith('namespaces "')) || status === 405) {
    return new KindlingError(
      "UNSUPPORTED",
      `the API server makes no tokens of service accounts (TokenRequest), and ${purpose.service} asks for one`,
      { hint: purpose.instead, cause: error },
    );
  }
  if (status !== 403) return known;
  return new KindlingError(
    "CLUSTER_FORBIDDEN",
    `you may not ${purpose.allows} namespace ${namespace}, as you may not make tokens of its service account ${account}`,
    { ...(known.hint !== undefined && { hint: known.hint }), cause: error },
  );
}
