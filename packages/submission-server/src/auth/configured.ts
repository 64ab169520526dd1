import { openVerifier } from "@kindling/oidc";
import { issuerSettings } from "@kindling/oidc/settings";
import type { Outside } from "@kindling/outside";
import { type AccessEntry, type ClusterAccessReviews, type Log, readAccessList, reviewLimits } from "@kindling/service";
import type { ServeConfig } from "../config/serve-keys.ts";
import { ProblemError } from "../errors/problem-error.ts";
import { certificateAuthenticator, tokenAuthenticator } from "./access-file.ts";
import { anyOf, type Authenticator, OPEN_TO_ALL } from "./authenticator.ts";
import { clusterRights } from "./cluster-rights.ts";
import { kubernetesAuthenticator } from "./kubernetes.ts";
import { oidcAuthenticator } from "./oidc.ts";

export interface ConfiguredAuthenticator {
  readonly authenticator: Authenticator;
  /** Reads the access file again; a file with a fault is not used. */
  reload(): Promise<void>;
}

export interface AuthenticationContext extends Pick<Outside, "clock" | "env"> {
  readonly log: Log;
  readonly reviews: ClusterAccessReviews;
}

/** @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE` */
export async function authenticateBy(
  config: ServeConfig,
  { clock, env, log, reviews }: AuthenticationContext,
): Promise<ConfiguredAuthenticator> {
  const path = config["auth.accessFile"];
  let entries: readonly AccessEntry[] = [];
  const reload = async (): Promise<void> => {
    if (path !== undefined) entries = await readAccessList(path);
  };
  await reload();
  const identityOf = clusterRights({ reviews, clock, cacheSeconds: config["auth.cache"] });
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
          ...{ reviews, clock, identityOf },
          audiences: config["auth.audiences"],
          cacheSeconds: config["auth.cache"],
          limits: reviewLimits({
            clock,
            mostAtOnce: config["auth.reviews"],
            failuresPerSecond: config["limits.failedReviews"],
            tooMany: (detail) => new ProblemError("overloaded", detail),
          }),
        });
      case "oidc": {
        const settings = issuerSettings(config);
        if (settings === undefined) throw new Error("the settings of the issuer have been checked");
        return oidcAuthenticator({ settings, identityOf, verifier: openVerifier(settings, { clock, env, log }) });
      }
    }
  });
  return { authenticator: anyOf(authenticators), reload };
}
