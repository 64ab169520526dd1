import type { Clock } from "@kindling/outside";
import { type AccessEntry, type ClusterAccessReviews, readAccessList, reviewLimits } from "@kindling/service";
import type { ServeConfig } from "../config/serve-keys.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { certificateAuthenticator, tokenAuthenticator } from "./access-file.ts";
import { anyOf, type Authenticator, OPEN_TO_ALL } from "./authenticator.ts";
import { kubernetesAuthenticator } from "./kubernetes.ts";

export interface ConfiguredAuthenticator {
  readonly authenticator: Authenticator;
  /** Reads the access file again; a file with a fault is not used. */
  reload(): Promise<void>;
}

/** @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE` */
export async function authenticateBy(
  config: ServeConfig,
  clock: Clock,
  reviews: ClusterAccessReviews,
): Promise<ConfiguredAuthenticator> {
  const path = config["auth.accessFile"];
  let entries: readonly AccessEntry[] = [];
  const reload = async (): Promise<void> => {
    if (path !== undefined) entries = await readAccessList(path);
  };
  await reload();
  const authenticators = config["auth.modes"].map((mode): Authenticator => {
    switch (mode) {
      case "none":
        return OPEN_TO_ALL;
      case "token":
        return tokenAuthenticator(() => entries);
      case "mtls":
        return certificateAuthenticator(() => entries);
      case "kubernetes":
        return kubernetesAuthenticator({
          ...{ reviews, clock },
          audiences: config["auth.audiences"],
          cacheSeconds: config["auth.cache"],
          limits: reviewLimits({
            clock,
            mostAtOnce: config["auth.reviews"],
            failuresPerSecond: config["limits.failedReviews"],
            tooMany: (detail) => new ProblemError("overloaded", detail),
          }),
        });
    }
  });
  return { authenticator: anyOf(authenticators), reload };
}
