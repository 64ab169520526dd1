import type { Outside } from "@kindling/outside";
import type { DescriptorPlan } from "../budget/descriptor-plan.ts";
import type { Setting } from "@kindling/service/settings";
import type { BlobStore } from "./blob-store.ts";
import type { DamageListener } from "./damage.ts";
import type { DocumentStore } from "./document-store.ts";
import type { StepHook } from "./local-disk/steps.ts";

/** Where a server keeps everything. */
export interface Storage {
  readonly store: BlobStore;
  readonly documents: DocumentStore;
  close(): Promise<void>;
}

/** What a store gets besides its own settings. */
export interface StoreContext extends Pick<Outside, "clock" | "random" | "env"> {
  readonly descriptors: DescriptorPlan;
  /** Bytes of the buffers for reading files. */
  readonly readBufferBytes: number;
  /** Called when another server has taken over the data. */
  readonly onLost: () => void;
  /** Called for stored documents and files whose contents are not what was stored. */
  readonly onDamage: DamageListener;
  /** For crash tests; see `StepHook`. */
  readonly onStep?: StepHook;
}

/** One kind of storage. It loads its code when it is opened. */
export interface StoreDriver<Kind extends string, Settings extends object> {
  /** As `store.kind` names it. */
  readonly kind: Kind;
  /** What it is, for the reference of settings: a part of a sentence. */
  readonly doc: string;
  /** Its own settings, as files, flags, environment and reference have them. */
  readonly keys: { readonly [Key in keyof Settings]: Setting<Settings[Key]> };
  /** Descriptors of one upload besides its socket: files, and connections to the store. */
  readonly perUpload: number;
  /** Names a required setting that is missing. */
  check(settings: Settings): keyof Settings | undefined;
  /** @throws KindlingError if the store cannot be used as configured */
  open(settings: Settings, context: StoreContext): Promise<Storage>;
}
