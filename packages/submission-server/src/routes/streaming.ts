import { clusterError } from "@kindling/submit";
import type { Identity, Right } from "../auth/authenticator.ts";
import type { StreamOptions } from "../http/open-stream.ts";
import type { ServiceContext } from "./service-context.ts";

/** The options that all streams have in common. */
export function streaming({
  gates,
  authenticator,
  connections,
  outside,
  stopping,
}: ServiceContext): Omit<StreamOptions, "waitsForFirst" | "isAllowed"> {
  return { gate: gates.streams, authenticator, connections, clock: outside.clock, stopping };
}

export function mayIn(right: Right, namespace: string): (identity: Identity) => Promise<boolean> {
  return async (identity) => (await identity.may(right, namespace)).allowed;
}

export function refuseAsCluster(error: unknown): never {
  throw clusterError(error);
}
