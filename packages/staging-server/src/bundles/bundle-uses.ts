import { StoreError } from "../errors/store-error.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { BundleIndex } from "./bundle-index.ts";

/** Records which bundles have been used. */
export interface BundleUses {
  /**
   * Notes the first use of a bundle, before a byte of it is sent. If the storage cannot be written, clients can still
   * read: the note is written later.
   */
  mark(record: BundleRecord): Promise<void>;
  /** Writes the notes that could not be written before. */
  catchUp(): Promise<void>;
  /** Whether a bundle has been used although its record may not say so yet. */
  isPending(id: string): boolean;
}

export function bundleUses(
  bundles: Bundles,
  index: BundleIndex,
  clock: ServiceClock,
  onPending: (id: string, error: StoreError) => void,
): BundleUses {
  const pending = new Set<string>();

  async function write(id: string): Promise<void> {
    const now = await bundles.records.update(id, (record) =>
      record.state === "unused" ? { ...record, state: "used", since: clock.seconds() } : undefined,
    );
    if (now !== undefined) index.changed(now.value);
  }

  return {
    async mark(record) {
      if (record.state !== "unused" || pending.has(record.id)) return;
      try {
        await write(record.id);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        pending.add(record.id);
        onPending(record.id, error);
      }
    },
    async catchUp() {
      for (const id of pending) {
        await write(id);
        pending.delete(id);
      }
    },
    isPending: (id) => pending.has(id),
  };
}
