import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";

/** What is known of the objects that own bundles. */
export interface OwnerWatch {
  /**
   * What is known of an owner at this moment. `present` if an object with all of the labels, or with the uid, exists and
   * has not ended. `absent` and `finished` are said only by a watch that is complete and alive.
   */
  state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState;
  /** Whether this server can look for owners of a type. */
  knows(ownerType: string): boolean;
  /**
   * Watches exactly the namespaces and types of these owners: one watch for each namespace and type. Resolves when
   * new ones have been looked at once, or cannot be for now.
   */
  follow(owners: Iterable<StagedResourcesOwner>): Promise<void>;
  close(): Promise<void>;
}

/** For a server without a cluster: ages decide. */
export function unwatchedOwners(): OwnerWatch {
  return {
    state: () => "unwatched",
    knows: () => true,
    follow: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
