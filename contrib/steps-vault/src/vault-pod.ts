import type { Container, Pod, Volume } from "@kindling/core-spec";
import type { Wishes } from "./wishes.ts";

/** A pod and, apart from it, the container that runs Spark. */
export interface SparkPod {
  readonly pod: Pod;
  readonly container: Container;
}

/** The volume with the token that pods show to Vault. */
export const TOKEN_VOLUME = "vault-token";
export const TOKEN_FILE = "token";
/** Vault needs the token when an agent logs in: soon after the start, and when a lease can no longer be renewed. */
const TOKEN_SECONDS = 3600;

/**
 * A token of the pod's account that only Vault accepts. A driver of Kindling's gateway has no other token for Vault: the one
 * in the usual place is for the gateway.
 */
export function tokenVolume({ audience }: Wishes): Volume {
  return {
    name: TOKEN_VOLUME,
    projected: {
      sources: [{ serviceAccountToken: { audience, expirationSeconds: TOKEN_SECONDS, path: TOKEN_FILE } }],
    },
  };
}
