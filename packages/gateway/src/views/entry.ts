import type { KubeObject } from "@kindling/api-server";

/** How far an object of a view has come. */
export type EntryState =
  /** Virtual: only its driver sees it. */
  | { readonly kind: "waiting"; readonly request: KubeObject }
  /** Virtual yet, and on its way into the cluster, where it may be already. */
  | { readonly kind: "creating"; readonly request: KubeObject }
  /** In the cluster, as of a version. */
  | { readonly kind: "real"; readonly uid: string; readonly version: string }
  /** Virtual for good: the cluster does not take it. */
  | { readonly kind: "refused" }
  /** No longer in the view: its driver deleted it while it was being created. It may be in the cluster all the same. */
  | { readonly kind: "abandoned" }
  /** Neither in the view nor in the cluster. */
  | { readonly kind: "gone" };

/** What is known of one object of a view beside what the driver sees. */
export interface Entry {
  readonly name: string;
  /** As the driver was told when it made the object; it stays when the object gets another one in the cluster. */
  readonly uid: string;
  readonly created: string;
  /** Of what the driver asked for; undefined if nobody knows, or if it has not asked yet. */
  fingerprint: string | undefined;
  state: EntryState;
  /** What is still to be made beside it, to be owned by it. */
  objects: readonly KubeObject[];
  /** What the driver has said of an executor that was there before it asked, as long as the cluster does not show it. */
  claim?: MetadataChange | undefined;
}

/** Labels and annotations that an object is to have. */
export interface MetadataChange {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Whether an object is not in the cluster as far as anybody knows, and may still come there. */
export function isVirtual({ state }: Entry): boolean {
  return state.kind === "waiting" || state.kind === "creating";
}

/** Whether an object was given up on its way into the cluster. */
export function isAbandoned({ state }: Entry): boolean {
  return state.kind === "abandoned";
}
