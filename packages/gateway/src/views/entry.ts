import type { KubeObject } from "@kindling/kube-objects";

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

type Kind = EntryState["kind"];

/**
 * What an object may become, by what it is. A watch may tell of an object before the answer to its making has come, and of
 * one that was refused, where an earlier attempt had made it.
 */
const MAY_BECOME: Readonly<Record<Kind, readonly Kind[]>> = {
  waiting: ["waiting", "creating", "real", "refused", "gone"],
  creating: ["creating", "real", "refused", "abandoned"],
  real: ["real", "gone"],
  refused: ["real", "gone"],
  abandoned: ["gone"],
  gone: ["gone"],
};

/** What an entry begins with. */
export interface NewEntry {
  readonly name: string;
  /** As the driver was told when it made the object; it stays when the object gets another one in the cluster. */
  readonly uid: string;
  readonly created: string;
  /** Of what the driver asked for; undefined if nobody knows, or if it has not asked yet. */
  readonly fingerprint: string | undefined;
  readonly state: EntryState;
  /** What is still to be made beside it, to be owned by it. */
  readonly objects: readonly KubeObject[];
}

/** What is known of one object of a view beside what the driver sees. Its state changes here and nowhere else. */
export class Entry {
  readonly name: string;
  readonly uid: string;
  readonly created: string;
  fingerprint: string | undefined;
  objects: readonly KubeObject[];
  /** What the driver has said of an executor that was there before it asked, as long as the cluster does not show it. */
  claim?: MetadataChange | undefined;
  #state: EntryState;

  constructor({ name, uid, created, fingerprint, state, objects }: NewEntry) {
    this.name = name;
    this.uid = uid;
    this.created = created;
    this.fingerprint = fingerprint;
    this.objects = objects;
    this.#state = state;
  }

  get state(): EntryState {
    return this.#state;
  }

  /** It is made from now on, in this form. */
  beginCreating(request: KubeObject): void {
    this.#become({ kind: "creating", request });
  }

  /** What is to be made of it is something else, as long as it has not been made. */
  reword(change: (request: KubeObject) => KubeObject): void {
    const state = this.#state;
    if (state.kind === "waiting" || state.kind === "creating")
      this.#become({ ...state, request: change(state.request) });
  }

  /** It is in the cluster. */
  seen(uid: string, version: string): void {
    this.#become({ kind: "real", uid, version });
  }

  /** The cluster does not take it, or it may never be asked for. */
  refuse(): void {
    this.#become({ kind: "refused" });
  }

  /** It is not in the view any more. What is being created is given up: whoever creates it takes it away again. */
  remove(): void {
    this.#become({ kind: this.#state.kind === "creating" ? "abandoned" : "gone" });
  }

  #become(next: EntryState): void {
    const { kind } = this.#state;
    if (!MAY_BECOME[kind].includes(next.kind))
      throw new Error(`${this.name} is ${kind}, and cannot become ${next.kind}`);
    this.#state = next;
  }
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
