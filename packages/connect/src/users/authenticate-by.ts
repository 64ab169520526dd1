import { IssuerUnavailable, openVerifier } from "@kindling/oidc";
import { issuerSettings } from "@kindling/oidc/settings";
import type { Outside } from "@kindling/outside";
import {
  type AccessEntry,
  type ClusterAccessReviews,
  entryOfToken,
  type Log,
  MAX_TOKEN_BYTES,
  readAccessList,
  reviewLimits,
  type ReviewedUser,
  tokenUsers,
} from "@kindling/service";
import type { AuthenticationMode, ConnectConfig } from "../config/connect-keys.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { Authenticator, User } from "./user.ts";

export interface AuthenticationContext extends Pick<Outside, "clock" | "env"> {
  readonly log: Log;
  readonly reviews: ClusterAccessReviews;
}

export interface ConfiguredAuthenticator extends Authenticator {
  /** Reads the access file again; a file with a fault is not used. */
  reload(): Promise<void>;
}

/** One way to find out whose a token is; `undefined` for a token that is not of this kind. */
type TokenOwner = (token: string, client: string) => Promise<User | undefined>;

const LOCAL_USER: User = { kind: "local", name: "local", groups: [], mode: "none" };

/**
 * Authenticates by the configured modes, one of which is enough.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function authenticateBy(
  config: ConnectConfig,
  context: AuthenticationContext,
): Promise<ConfiguredAuthenticator> {
  const path = config["auth.accessFile"];
  let entries: readonly AccessEntry[] = [];
  const reload = async (): Promise<void> => {
    if (path !== undefined) entries = await readAccessList(path);
  };
  await reload();
  const modes = config["auth.modes"];
  const owners = modes.map((mode) => ownerBy(mode, config, context, () => entries));
  return {
    reload,
    async authenticate({ bearer, client }) {
      if (modes.length === 1 && modes[0] === "none") return LOCAL_USER;
      if (bearer === undefined)
        throw unauthenticated("no token was sent: write sc://HOST:PORT/;use_ssl=true;token=TOKEN");
      if (bearer.length > MAX_TOKEN_BYTES) throw unauthenticated("the token is too long");
      for (const owner of owners) {
        const user = await owner(bearer, client);
        if (user !== undefined) return user;
      }
      throw unauthenticated("the token is not accepted: it is wrong, has ended, or is for another audience");
    },
  };
}

function ownerBy(
  mode: AuthenticationMode,
  config: ConnectConfig,
  { clock, env, log, reviews }: AuthenticationContext,
  entries: () => readonly AccessEntry[],
): TokenOwner {
  switch (mode) {
    case "none":
      return () => Promise.resolve(LOCAL_USER);
    case "token":
      return (token) => Promise.resolve(listedUser(entryOfToken(entries(), token)));
    case "kubernetes": {
      const userOf = tokenUsers({
        ...{ reviews, clock, audiences: config["auth.audiences"], cacheSeconds: config["auth.cache"] },
        limits: reviewLimits({
          clock,
          mostAtOnce: config["auth.reviews"],
          failuresPerSecond: config["limits.failedReviews"],
          tooMany: (detail) => new GrpcError("RESOURCE_EXHAUSTED", detail),
        }),
      });
      return async (token, client) => {
        try {
          return reviewedUser(await userOf(token, client), mode);
        } catch (cause) {
          if (cause instanceof GrpcError) throw cause;
          throw new GrpcError("UNAVAILABLE", "the API server cannot be asked about this token at present", { cause });
        }
      };
    }
    case "oidc": {
      const settings = issuerSettings(config);
      if (settings === undefined) throw new Error("the settings of the issuer have been checked");
      const verifier = openVerifier(settings, { clock, env, log });
      return async (token) => {
        try {
          const found = await verifier.verify(token);
          if (found.kind === "refused") throw unauthenticated(`the token is not accepted: ${found.reason}`);
          return found.kind === "user" ? reviewedUser(found.user, mode) : undefined;
        } catch (cause) {
          if (cause instanceof IssuerUnavailable) throw new GrpcError("UNAVAILABLE", cause.message, { cause });
          throw cause;
        }
      };
    }
  }
}

function listedUser(entry: AccessEntry | undefined): User | undefined {
  if (entry === undefined) return undefined;
  const { name, admin, namespaces } = entry;
  return { kind: "listed", name, groups: [], mode: "token", namespaces: admin ? ["*"] : namespaces };
}

function reviewedUser(reviewed: ReviewedUser | undefined, mode: AuthenticationMode): User | undefined {
  return reviewed && { kind: "reviewed", name: reviewed.username, groups: reviewed.groups, mode, reviewed };
}

function unauthenticated(message: string): GrpcError {
  return new GrpcError("UNAUTHENTICATED", message);
}
