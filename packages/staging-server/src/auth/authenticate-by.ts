import type { Clock } from "@kindling/outside";
import { type AccessEntry, type ClusterAccessReviews, readAccessList, reviewLimits } from "@kindling/service";
import { certificateAuthenticator, tokenAuthenticator } from "./access-list.ts";
import { openToAll, type Authenticator } from "./authenticator.ts";
import { kubernetesAuthenticator } from "./kubernetes-authenticator.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { ProblemError } from "../errors/problem-error.ts";

export interface ConfiguredAuthenticator {
  readonly authenticator: Authenticator;
  /** Reads the access file again; a file with a fault is not used. */
  reload(): Promise<void>;
}

/** @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE` */
export async function authenticateBy(
  config: ServerConfig,
  clock: Clock,
  reviews: ClusterAccessReviews | undefined,
): Promise<ConfiguredAuthenticator> {
  const mode = config["auth.mode"] ?? "none";
  switch (mode) {
    case "none":
      return { authenticator: openToAll(), reload: () => Promise.resolve() };
    case "kubernetes": {
      if (reviews === undefined) throw new Error("kubernetes authentication needs a cluster");
      const [audience, ...others] = config["auth.audiences"];
      if (audience === undefined) throw new Error("kubernetes authentication needs an audience");
      const authenticator = kubernetesAuthenticator({
        reviews,
        audiences: [audience, ...others],
        submitters: config["auth.submitters"],
        clock,
        cacheSeconds: config["auth.cache"],
        limits: reviewLimits({
          clock,
          mostAtOnce: config["limits.reviews"],
          failuresPerSecond: config["limits.failedReviews"],
          tooMany: (detail) => new ProblemError("too-many-requests", detail, { retryAfterSeconds: 2 }),
        }),
      });
      return { authenticator, reload: () => Promise.resolve() };
    }
    case "token":
    case "mtls": {
      const path = config["auth.accessFile"] ?? "";
      let entries: readonly AccessEntry[] = await readAccessList(path);
      const by = mode === "token" ? tokenAuthenticator : certificateAuthenticator;
      return {
        authenticator: by(() => entries),
        async reload() {
          entries = await readAccessList(path);
        },
      };
    }
  }
}
