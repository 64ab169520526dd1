import {
  type ClusterAccessReviews,
  keptAccess,
  type ReviewedAction,
  type ReviewedUser,
  reviewLimits,
  type TokenUsers,
  tokenUsers,
} from "@kindling/service";
import type { Clock } from "@kindling/outside";
import type { RecorderConfig } from "../config/recorder-keys.ts";
import { ProblemError } from "./problem.ts";

/** Somebody who asks for what is kept. */
export interface Reader {
  /** A name for logs; limits are counted by it. */
  readonly subject: string;
  /**
   * Whether this reader may read what is kept of a namespace; without one, of all namespaces.
   *
   * @throws ProblemError `unavailable`
   */
  mayRead(namespace: string | undefined): Promise<boolean>;
  /**
   * Whether this caller may delete the pods of a namespace, and so may ask when that loses nothing.
   *
   * @throws ProblemError `unavailable`
   */
  mayDelete(namespace: string): Promise<boolean>;
}

/**
 * Finds out who a reader is.
 *
 * @param token `undefined` if none was sent
 * @param client what its address stands for
 * @throws ProblemError `unauthorized`, `unavailable`, `overloaded`
 */
export type Readers = (token: string | undefined, client: string) => Promise<Reader>;

const YES = (): Promise<boolean> => Promise.resolve(true);

/** Everybody may do everything: for a recorder that can be reached only from its own machine. */
export const OPEN_TO_ALL: Readers = () => Promise.resolve({ subject: "anonymous", mayRead: YES, mayDelete: YES });

export interface ClusterReadersOptions {
  readonly reviews: ClusterAccessReviews;
  readonly clock: Clock;
  readonly config: Pick<RecorderConfig, "auth.audiences" | "auth.cache" | "auth.reviews" | "limits.failedReviews">;
}

/** Readers of the log of a live pod may read what is kept of its namespace. The API server says who they are. */
const READS_LOGS = { verb: "get", resource: "pods", subresource: "log" } as const;
const DELETES_PODS = { verb: "delete", resource: "pods" } as const;

/** Users of the cluster, by tokens of the cluster. */
export function clusterReaders({ reviews, clock, config }: ClusterReadersOptions): Readers {
  const audiences = config["auth.audiences"];
  const cacheSeconds = config["auth.cache"];
  const limits = reviewLimits({
    clock,
    mostAtOnce: config["auth.reviews"],
    failuresPerSecond: config["limits.failedReviews"],
    tooMany: (detail) => new ProblemError("overloaded", detail),
  });
  const users = tokenUsers({ ...{ reviews, audiences, clock, cacheSeconds, limits } });
  const access = keptAccess({
    reviews: {
      reviewAccess: (user, action) => limits.askRight(user.username, () => reviews.reviewAccess(user, action)),
    },
    ...{ clock, cacheSeconds },
  });
  const wanted = `send a token of the cluster for the audience ${audiences[0] ?? ""} and no other`;
  return async (token, client) => {
    if (token === undefined) throw new ProblemError("unauthorized", "no token was sent", { hint: wanted });
    const user = await userOf(users, token, client);
    if (user === undefined) throw new ProblemError("unauthorized", "this token is not accepted", { hint: wanted });
    const may = async (action: ReviewedAction): Promise<boolean> => {
      try {
        return (await access(user, action)).allowed;
      } catch (cause) {
        throw cannotAsk("your rights", cause);
      }
    };
    return {
      subject: user.username,
      mayRead: (namespace) => may({ ...READS_LOGS, ...(namespace !== undefined && { namespace }) }),
      mayDelete: (namespace) => may({ ...DELETES_PODS, namespace }),
    };
  };
}

async function userOf(users: TokenUsers, token: string, client: string): Promise<ReviewedUser | undefined> {
  try {
    return await users(token, client);
  } catch (cause) {
    throw cannotAsk("this token", cause);
  }
}

function cannotAsk(what: string, cause: unknown): unknown {
  if (cause instanceof ProblemError) return cause;
  return new ProblemError("unavailable", `the API server cannot be asked about ${what} at present`, { cause });
}
