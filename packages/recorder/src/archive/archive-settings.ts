import { confType } from "@kindling/core-spec";
import { text, type Setting } from "@kindling/service/settings";
import {
  ADLS_PLACE_KEYS,
  type AdlsPlaceSettings,
  GCS_PLACE_KEYS,
  type GcsPlaceSettings,
  S3_PLACE_KEYS,
  type S3PlaceSettings,
  webhdfsPlaceKeys,
  type WebhdfsPlaceSettings,
} from "@kindling/stores";

export type ArchiveKind = "local-disk" | "s3" | "gcs" | "adls" | "webhdfs";

/** Where the archive is. */
export interface ArchiveSettings extends S3PlaceSettings, GcsPlaceSettings, AdlsPlaceSettings, WebhdfsPlaceSettings {
  readonly "store.kind": ArchiveKind;
  readonly "store.path": string;
}

export const ARCHIVE_KEYS: { readonly [Key in keyof ArchiveSettings]: Setting<ArchiveSettings[Key]> } = {
  "store.kind": {
    type: confType.oneOf<ArchiveKind>("local-disk", "s3", "gcs", "adls", "webhdfs"),
    default: "local-disk",
    doc: "Where the archive is: a folder, a bucket of an object store, or a folder of HDFS.",
  },
  "store.path": { type: text, default: "/var/lib/kindling-recorder/archive", doc: "Folder of `local-disk`." },
  ...S3_PLACE_KEYS,
  ...GCS_PLACE_KEYS,
  ...ADLS_PLACE_KEYS,
  ...webhdfsPlaceKeys("/kindling-archive"),
};
