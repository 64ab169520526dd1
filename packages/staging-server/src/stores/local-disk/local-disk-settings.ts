import { sizeBytes, text, type Setting } from "@kindling/settings";

/** The settings of `local-disk`. Sizes are bytes. */
export interface LocalDiskSettings {
  readonly "store.path": string;
  readonly "store.minFree": number;
  readonly "store.damagedBytes": number;
}

export const LOCAL_DISK_KEYS: { readonly [Key in keyof LocalDiskSettings]: Setting<LocalDiskSettings[Key]> } = {
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
};
