import type { KubeObject } from "@kindling/kube-objects";

/** How far an object of a view has come. */
export type EntryState =
  /** Virtual: only the driver sees it. */
  | { readonly kind: "waiting"; readonly request: KubeObject }
  /** Still virtual, but being created in the cluster; it may be there already. */
  | { readonly kind: "creating"; readonly request: KubeObject }
  /** In the cluster, with its resource version. */
  | { readonly kind: "real"; readonly uid: string; readonly version: string }
  /** Virtual for good: the cluster refuses it. */
  | { readonly kind: "refused" }
  /** No longer in the view: its driver deleted it while it was being created. It may still be in the cluster. */
  | { readonly kind: "abandoned" }
  /** Neither in the view nor in the cluster. */
  | { readonly kind: "gone" };

type Kind = EntryState["kind"];

/**
 * Which states may follow each state. A watch may show an object before the answer to its creation has come. It may even show
 * an object that was refused, if an earlier attempt had created it.
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
  /** The uid that the driver was told when it created the object. It stays when the object gets another uid in the cluster. */
  readonly uid: string;
  readonly created: string;
  /** The fingerprint of what the driver asked for; undefined if it is not known, or if the driver has not asked yet. */
  readonly fingerprint: string | undefined;
  readonly state: EntryState;
  /** What must still be created with it and owned by it. */
  readonly objects: readonly KubeObject[];
}

/** What the gateway knows about one object of a view, besides what the driver sees. Its state changes only here. */
export class Entry {
  readonly name: string;
  readonly uid: string;
  readonly created: string;
  fingerprint: string | undefined;
  objects: readonly KubeObject[];
  /** The driver's labels and annotations for an early executor, as long as the cluster does not show them. */
  handover?: MetadataChange | undefined;
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

  /** Its creation begins, with this request. */
  beginCreating(request: KubeObject): void {
    this.#become({ kind: "creating", request });
  }

  /** Changes the request, as long as it has not been created. */
  reword(change: (request: KubeObject) => KubeObject): void {
    const state = this.#state;
    if (state.kind === "waiting" || state.kind === "creating")
      this.#become({ ...state, request: change(state.request) });
  }

  /** It is in the cluster. */
  seen(uid: string, version: string): void {
    this.#become({ kind: "real", uid, version });
  }

  /** The cluster refuses it, or it may never be requested. */
  refuse(): void {
    this.#become({ kind: "refused" });
  }

  /** It is no longer in the view. If it is being created, it is given up: the code that creates it deletes it again. */
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

/** Labels and annotations that an object should have. */
export interface MetadataChange {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Whether an object is not known to be in the cluster, but may still be created. */
export function isVirtual({ state }: Entry): boolean {
  return state.kind === "waiting" || state.kind === "creating";
}

/** Whether an object was given up while it was being created. */
export function isAbandoned({ state }: Entry): boolean {
  return state.kind === "abandoned";
}
