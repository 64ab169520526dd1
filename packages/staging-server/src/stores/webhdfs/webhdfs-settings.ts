import { confType } from "@kindling/core-spec";
import { sizeBytes, type Setting } from "@kindling/service/settings";
import { webhdfsPlaceKeys, type WebhdfsPlaceSettings } from "@kindling/stores";

/** The settings of `webhdfs`. Sizes are bytes. */
export interface WebhdfsSettings extends WebhdfsPlaceSettings {
  readonly "store.webhdfs.segmentSize": number;
}

export const WEBHDFS_KEYS: { readonly [Key in keyof WebhdfsSettings]: Setting<WebhdfsSettings[Key]> } = {
  ...webhdfsPlaceKeys("/kindling-staging"),
  "store.webhdfs.segmentSize": {
    type: confType.checked(sizeBytes, (value) => value >= 1024 * 1024, "a size of at least 1m"),
    default: "128m",
    doc: "How much of an upload can be lost at most when this server is killed.",
  },
};
