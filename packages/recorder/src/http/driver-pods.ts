import type { Clock } from "@kindling/outside";
import { type ClusterAccessReviews, reviewLimits, tokenUsers } from "@kindling/service";
import type { RecorderConfig } from "../config/recorder-keys.ts";
import { ProblemError } from "./problem.ts";

/** The entry of a token's user that names the pod that it was made for (KEP-1205). */
const POD_UID = "authentication.kubernetes.io/pod-uid";

/**
 * Finds out which pod has sent a request: its token is bound to the pod.
 *
 * @returns the pod's uid
 * @throws ProblemError `unauthorized`, `unavailable`, `overloaded`
 */
export type DriverPods = (token: string | undefined, client: string) => Promise<string>;

/** For a recorder without users of a cluster. */
export const NO_PODS: DriverPods = () =>
  Promise.reject(new ProblemError("unauthorized", "event logs are taken with auth.mode=kubernetes only"));

export interface DriverPodsOptions {
  readonly reviews: ClusterAccessReviews;
  readonly clock: Clock;
  readonly config: Pick<RecorderConfig, "auth.audiences" | "auth.cache" | "auth.reviews" | "limits.failedReviews">;
}

export function driverPods({ reviews, clock, config }: DriverPodsOptions): DriverPods {
  const users = tokenUsers({
    ...{ reviews, clock, audiences: config["auth.audiences"], cacheSeconds: config["auth.cache"] },
    limits: reviewLimits({
      clock,
      mostAtOnce: config["auth.reviews"],
      failuresPerSecond: config["limits.failedReviews"],
      tooMany: (detail) => new ProblemError("overloaded", detail),
    }),
  });
  return async (token, client) => {
    if (token === undefined) throw new ProblemError("unauthorized", "no token was sent");
    let uid: string | undefined;
    try {
      uid = (await users(token, client))?.extra[POD_UID]?.[0];
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      throw new ProblemError("unavailable", "the API server cannot be asked about this token at present", { cause });
    }
    if (uid !== undefined) return uid;
    throw new ProblemError("unauthorized", "this is no token of a pod for the recorder alone");
  };
}
