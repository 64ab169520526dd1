import { sizeBytes, text, type Setting } from "@kindling/service/settings";

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
    doc: "Space that is left free on the volume of `local-disk`. When less is free, only deletions work.",
  },
  "store.damagedBytes": {
    type: sizeBytes,
    default: "1g",
    doc:
      "How many bytes of damaged files, and of damaged documents of each kind, are kept in the folder `damaged` of " +
      "`local-disk`, so that somebody can look at them. The oldest are deleted first. They count for nobody's quota.",
  },
};
