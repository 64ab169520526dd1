import type { Digester } from "../protocol/digest.ts";
import type { DownloadOptions } from "./download-options.ts";
import type { PartFile } from "./part-file.ts";

/** A file that is being fetched into its part. */
export interface Fetching {
  readonly options: DownloadOptions;
  readonly part: PartFile;
  readonly signal: AbortSignal;
  /** Of exactly the bytes that are in the part; after a failed write it is made anew. */
  hash: Digester | undefined;
  /** That of the version which these bytes are of. */
  validator: string | undefined;
}
