import { sizeBytes, text } from "../../settings/server-key.ts";
import type { StoreDriver } from "../store-driver.ts";

/** The settings of `local-disk`. Sizes are bytes. */
export interface LocalDiskSettings {
  readonly "store.path": string;
  readonly "store.minFree": number;
  readonly "store.damagedBytes": number;
}

/** A folder of this machine, or of a volume that is attached to it. One server at a time has it. */
export const localDiskDriver: StoreDriver<"local-disk", LocalDiskSettings> = {
  kind: "local-disk",
  keys: {
    "store.path": { type: text, default: "/var/lib/kindling-staging", doc: "Data folder of `local-disk`." },
    "store.minFree": {
      type: sizeBytes,
      default: "1g",
      doc: "Space that is left free on the volume of `local-disk`; what is below it is for deletions only.",
    },
    "store.damagedBytes": {
      type: sizeBytes,
      default: "1g",
      doc:
        "How much of damaged files, and of damaged documents of each kind, is kept in the folder `damaged` of " +
        "`local-disk` for somebody to look into; the oldest go first. It is in nobody's quota.",
    },
  },
  perUpload: 1,
  check: () => undefined,
  async open(settings, context) {
    const { openLocalDisk } = await import("./open-local-disk.ts");
    return await openLocalDisk(settings, context);
  },
};
