import type { OwnerState, StagedResourcesOwner } from "@kindling/staging-client";

/** The owner of a bundle: any object with its labels, and, once the bundle is bound, the object of that uid. */
export interface BundleOwner {
  readonly owner: StagedResourcesOwner;
  readonly uid: string | undefined;
}

/** A question about an owner, besides the watch. */
export interface OwnerQuestion extends BundleOwner {
  /** Whether the answer decides about a deletion that is due; otherwise one question is enough. */
  readonly isDue: boolean;
}

/** What is known of the objects that own bundles. */
export interface OwnerWatch {
  /**
   * What is known of an owner at this moment. `present` if an object with all of the labels, or with the uid, exists and
   * has not ended. Only a watch that is complete and current reports `absent` and `finished`; a deletion needs more, see
   * {@link OwnerWatch.confirmations}.
   */
  state(owner: StagedResourcesOwner, uid: string | undefined): OwnerState;
  /** Whether this server can look for owners of a type. */
  knows(ownerType: string): boolean;
  /**
   * Watches exactly the namespaces and types of these owners: one watch for each namespace and type. Resolves when new
   * ones have been listed once, or cannot be listed for now.
   */
  follow(owners: Iterable<StagedResourcesOwner>): Promise<void>;
  /**
   * Asks the cluster itself about those owners that the watch shows as absent or finished. It needs all owners, also
   * those that run. Never rejects: a question without an answer confirms nothing.
   */
  confirm(questions: Iterable<OwnerQuestion>): Promise<void>;
  /**
   * How many times in a row the cluster itself has said that an owner does not run, with some time between each: 2 are
   * proof.
   */
  confirmations(subject: BundleOwner): number;
  close(): Promise<void>;
}

/** For a server without a cluster: only the ages of bundles decide. */
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
