import type { HttpTransport } from "@kindling/http";
import type { DownloadSource, StagingTransport } from "@kindling/staging-client";
import type { ResolvedConfig } from "../config/localizer-config.ts";
import type { Credentials } from "../credentials/credentials.ts";
import type { LocalizeOptions } from "../localize-options.ts";

/** What a source of remote files gets, once for each run. */
export interface RemoteContext {
  readonly config: ResolvedConfig;
  readonly options: LocalizeOptions;
  readonly credentials: Credentials;
  readonly http: HttpTransport;
  readonly transport: StagingTransport;
}

/** Gives a file by its URI. @throws LocalizerError for a URI that cannot be used */
export type FileOf = (uri: string) => DownloadSource;

/** One kind of source of remote files. It loads its code when its first file is requested. */
export interface RemoteSource {
  /** In lower case. */
  readonly schemes: readonly string[];
  open(context: RemoteContext): Promise<FileOf>;
}
