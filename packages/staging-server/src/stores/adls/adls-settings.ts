import type { Setting } from "@kindling/service/settings";
import { ADLS_PLACE_KEYS, type AdlsPlaceSettings } from "@kindling/stores";
import { partSettings } from "../bucket/part-settings.ts";

/** The settings of `adls`. Sizes are bytes. */
export interface AdlsSettings extends AdlsPlaceSettings {
  readonly "store.adls.partSize": number;
  readonly "store.adls.spoolPath": string | undefined;
}

const { partSize, spoolPath } = partSettings("Azure");

export const ADLS_KEYS: { readonly [Key in keyof AdlsSettings]: Setting<AdlsSettings[Key]> } = {
  ...ADLS_PLACE_KEYS,
  "store.adls.partSize": partSize,
  "store.adls.spoolPath": spoolPath,
};
