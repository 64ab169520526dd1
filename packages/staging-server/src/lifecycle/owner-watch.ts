import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";

/** The owner of a bundle: whatever has its labels, and, once the bundle is bound, the object of that uid. */
export interface BundleOwner {
  readonly owner: StagedResourcesOwner;
  readonly uid: string | undefined;
}

/** A question about an owner, beside the watch. */
export interface OwnerQuestion extends BundleOwner {
  /** Whether something is about to be deleted on account of the answer; otherwise it is enough to have asked once. */
  readonly isDue: boolean;
}

/** What is known of the objects that own bundles. */
export interface OwnerWatch {
  /**
   * What is known of an owner at this moment. `present` if an object with all of the labels, or with the uid, exists and
   * has not ended. `absent` and `finished` are said only by a watch that is complete and current; a deletion needs more,
   * see {@link OwnerWatch.confirmations}.
   */
  state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState;
  /** Whether this server can look for owners of a type. */
  knows(ownerType: string): boolean;
  /**
   * Watches exactly the namespaces and types of these owners: one watch for each namespace and type. Resolves when
   * new ones have been looked at once, or cannot be for now.
   */
  follow(owners: Iterable<StagedResourcesOwner>): Promise<void>;
  /**
   * Asks the cluster itself about those owners that the watch shows as absent or finished. To be given all owners, also
   * those that run. Never rejects: who cannot be asked, has not confirmed anything.
   */
  confirm(questions: Iterable<OwnerQuestion>): Promise<void>;
  /**
   * How many times in a row the cluster itself has said that an owner does not run, with some time between each: 2 are
   * positive knowledge.
   */
  confirmations(subject: BundleOwner): number;
  close(): Promise<void>;
}

/** For a server without a cluster: ages decide. */
export function unwatchedOwners(): OwnerWatch {
  return {
    state: () => "unwatched",
    knows: () => true,
    follow: () => Promise.resolve(),
    confirm: () => Promise.resolve(),
    confirmations: () => 0,
    close: () => Promise.resolve(),
  };
}
