import { confType } from "@kindling/core-spec";
import { sizeBytes, text, type Setting } from "@kindling/service/settings";

/** Where an object store gets its files from: parts, and the folder that they wait in. */
export function partSettings(store: string): {
  readonly partSize: Setting<number>;
  readonly spoolPath: Setting<string | undefined>;
} {
  return {
    partSize: {
      type: confType.checked(sizeBytes, (value) => value >= 5 * 1024 * 1024, "a size of at least 5m"),
      default: "16m",
      doc: "Size of the parts of a large upload. A file can have 10 000 of them.",
    },
    spoolPath: {
      type: text,
      default: undefined,
      doc: `Folder for parts on their way to ${store}, at most three for each upload; unset: the system's temporary folder.`,
    },
  };
}
