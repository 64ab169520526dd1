import type { Digester } from "../protocol/digest.ts";
import type { DownloadOptions } from "./download-options.ts";
import type { PartFile } from "./part-file.ts";

/** A file that is being fetched into its part. */
export interface Fetching {
  readonly options: DownloadOptions;
  readonly part: PartFile;
  readonly signal: AbortSignal;
  /** The hash of exactly the bytes in the part; after a failed write it is computed again. */
  hash: Digester | undefined;
  /** The validator of the version that these bytes come from. */
  validator: string | undefined;
}
