import { type KeptAccessOptions, keptAccess, matchesNamespace } from "@kindling/service";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { Profile } from "./profile.ts";
import type { User } from "../users/user.ts";

/** Says whether a user may have sessions of a profile. */
export type MayUse = (user: User, profile: Profile) => Promise<boolean>;

/**
 * A profile with `access` is for the users and groups in it. Any other profile is for those who may create pods in its
 * namespace: they could run the same driver without this service.
 *
 * The result rejects with a GrpcError `UNAVAILABLE` if the cluster cannot be asked at present.
 */
export function mayUseProfiles(options: KeptAccessOptions): MayUse {
  const ask = keptAccess(options);
  return async (user, { access, namespace }) => {
    if (user.kind === "local") return true;
    if (access !== undefined)
      return (
        access.users.some((name) => name === user.name) || access.groups.some((name) => user.groups.includes(name))
      );
    if (user.kind === "listed") return matchesNamespace(namespace, user.namespaces);
    try {
      return (await ask(user.reviewed, { verb: "create", resource: "pods", namespace })).allowed;
    } catch (cause) {
      throw new GrpcError("UNAVAILABLE", "the API server cannot be asked about your rights at present", { cause });
    }
  };
}
