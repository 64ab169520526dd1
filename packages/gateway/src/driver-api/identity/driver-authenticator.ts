import type { KubeObject } from "@kindling/kube-objects";
import type { IncomingMessage } from "node:http";
import { ApiError, type Exchange, type User } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { clientOfAddress } from "@kindling/service";
import type { DriverConnections } from "../connections/driver-connections.ts";
import { isDriver } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isAtItsAddress } from "./pod-address.ts";
import type { ReviewCache } from "./review-cache.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { type TokenClaims, tokenClaims } from "./token-claims.ts";
import { isOver } from "../../spark/driver-phase.ts";

export interface DriverAuthenticatorOptions {
  readonly reviews: ReviewCache;
  readonly keys: SigningKeys;
  readonly connections: Pick<DriverConnections, "identified" | "isOf" | "isStranger">;
  readonly cluster: ClusterWatch;
  readonly audiences: readonly string[];
  readonly clock: Clock;
}

/** An authenticated driver. */
export interface DriverLogin {
  readonly user: User;
  readonly driver: KubeObject;
}

const POD_UID = "authentication.kubernetes.io/pod-uid";
const MAX_TOKEN_BYTES = 16 * 1024;
/** How long the gateway waits for a driver pod that it has not seen yet: its own watch may be reconnecting. */
const PATIENCE_MS = 10_000;
/** How late a watch may be that works: the API server, or this process, may have much to do. */
const LATENESS_MS = 3_000;
/** The API server's clock decides when a token expires; the clock here may be ahead. */
const SKEW_MS = 10 * 60_000;

/** The uid of the pod that makes a request. */
export function podUidOf({ extra }: User): string {
  return extra?.[POD_UID]?.[0] ?? "";
}

/**
 * Finds out which driver makes a request. A driver is identified by its pod: its token is bound to the pod and issued only
 * for the gateway, and the pod must exist. The API server is asked only about tokens of existing drivers, so strangers cannot
 * overload it. A forged token that names a driver does that driver no harm.
 */
export class DriverAuthenticator {
  readonly #options: DriverAuthenticatorOptions;

  constructor(options: DriverAuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * @throws ApiError 401 if the token is not for the gateway, 403 if its pod is no driver or no longer there, 429 or 503 if
   * that cannot be found out now
   */
  async authenticate({ request, response }: Exchange): Promise<DriverLogin> {
    const { connections } = this.#options;
    try {
      const login = await this.#login(request);
      connections.identified(request, podUidOf(login.user));
      return login;
    } catch (error) {
      // A client that has never authenticated must wait for a new connection each time.
      if (connections.isStranger(request) && !response.headersSent) response.setHeader("Connection", "close");
      throw error;
    }
  }

  async #login(request: IncomingMessage): Promise<DriverLogin> {
    const token = bearerOf(request.headers.authorization);
    const claims = this.#claimsOf(token);
    const { reviews, keys, connections } = this.#options;
    const pod = await this.#driver(claims, token);
    const asked = reviews.ask(token, {
      podUid: claims.podUid,
      address: clientOfAddress(request.socket.remoteAddress ?? ""),
      async isLikely() {
        const signature = await keys.look(token);
        if (signature === "forged") throw unauthorized("the API server has not signed this token");
        return signature === "good" || connections.isOf(request, claims.podUid) || isAtItsAddress(pod, request);
      },
    });
    const holder = await asked.catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
      throw new ApiError(503, "ServiceUnavailable", "the API server cannot be asked about this token at present", {
        retryAfterSeconds: 1,
      });
    });
    if (holder === undefined) throw unauthorized("the API server does not accept this token");
    const { username: name, groups, podName, podUid } = holder;
    if (podName !== claims.podName || podUid !== claims.podUid) {
      throw unauthorized("the API server does not say that this token is bound to a pod");
    }
    // The pod may have been deleted while the API server was asked.
    const driver = await this.#driver(claims, token);
    return { user: { name, groups, extra: { [POD_UID]: [podUid] } }, driver };
  }

  #claimsOf(token: string): TokenClaims {
    const { audiences, clock } = this.#options;
    const claims = tokenClaims(token);
    if (claims === undefined) throw unauthorized("this is no token of a pod's service account");
    const isForUs = claims.audiences.length > 0 && claims.audiences.every((audience) => audiences.includes(audience));
    if (!isForUs) throw unauthorized(`this token is not for ${audiences.join(" or ")} alone`);
    if (claims.expires * 1000 + SKEW_MS < clock.now()) throw unauthorized("this token has expired");
    return claims;
  }

  /** The driver's pod, if it is there and alive. */
  async #driver({ namespace, podName, podUid }: TokenClaims, token: string): Promise<KubeObject> {
    const { cluster, clock, keys } = this.#options;
    if (!cluster.serves(namespace)) throw forbidden(`the gateway does not serve namespace ${namespace}`);
    const find = (): KubeObject | undefined => {
      const pod = cluster.pod(namespace, podName);
      return pod?.metadata.uid === podUid ? pod : undefined;
    };
    const wait = async (milliseconds: number, isOver: () => boolean): Promise<KubeObject | undefined> => {
      const deadline = clock.monotonic() + milliseconds;
      while (find() === undefined && !isOver() && clock.monotonic() < deadline)
        await cluster.news(clock, deadline - clock.monotonic());
      return find();
    };
    let pod = await wait(PATIENCE_MS, () => cluster.isCurrent(namespace));
    // The API server issues such a token only for a pod that is there.
    if (pod === undefined && cluster.isCurrent(namespace) && (await keys.look(token)) === "good")
      pod = await wait(LATENESS_MS, () => false);
    if (pod !== undefined && isDriver(pod) && !isOver(pod)) return pod;
    if (pod === undefined && !cluster.isCurrent(namespace)) {
      throw new ApiError(503, "ServiceUnavailable", "the gateway does not know at present which pods there are", {
        retryAfterSeconds: 1,
      });
    }
    const what =
      pod === undefined ? "is not there" : isDriver(pod) ? "has ended" : "is not the driver of an application";
    throw forbidden(`pod ${namespace}/${podName} ${what}: only the pods of drivers that run are served`);
  }
}

function bearerOf(header: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (token !== undefined && token.length <= MAX_TOKEN_BYTES) return token;
  throw unauthorized("no bearer token was sent");
}

function unauthorized(why: string): ApiError {
  return new ApiError(401, "Unauthorized", `Unauthorized: ${why}`);
}

function forbidden(why: string): ApiError {
  return new ApiError(403, "Forbidden", `Forbidden: ${why}`);
}
