import type { Setting } from "@kindling/service/settings";
import { GCS_PLACE_KEYS, type GcsPlaceSettings } from "@kindling/stores";
import { partSettings } from "../bucket/part-settings.ts";

/** The settings of `gcs`. Sizes are bytes. */
export interface GcsSettings extends GcsPlaceSettings {
  readonly "store.gcs.partSize": number;
  readonly "store.gcs.spoolPath": string | undefined;
}

const { partSize, spoolPath } = partSettings("Google Cloud Storage");

export const GCS_KEYS: { readonly [Key in keyof GcsSettings]: Setting<GcsSettings[Key]> } = {
  ...GCS_PLACE_KEYS,
  "store.gcs.partSize": partSize,
  "store.gcs.spoolPath": spoolPath,
};
