export type { BucketPlace, PlaceContext } from "./bucket-place.ts";
export { ADLS_PLACE_KEYS, type AdlsPlaceSettings } from "./adls/adls-settings.ts";
export { GCS_PLACE_KEYS, type GcsPlaceSettings } from "./gcs/gcs-settings.ts";
export { S3_PLACE_KEYS, type S3PlaceSettings } from "./s3/s3-settings.ts";
export { readIfThere } from "./setting-values.ts";
export { webhdfsPlaceKeys, type WebhdfsPlaceSettings } from "./webhdfs/webhdfs-settings.ts";
