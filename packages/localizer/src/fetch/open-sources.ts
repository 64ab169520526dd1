import type { ResolvedConfig, ResolvedFile } from "../config/localizer-config.ts";
import { loadCredentials } from "../credentials/credentials.ts";
import type { LocalizeOptions } from "../localize-options.ts";
import type { RemoteContext } from "./remote-source.ts";
import { remoteSources } from "./remote-sources.ts";
import { downloadTransport, remoteTransport } from "./remote-transport.ts";
import { stagedBundles, type Fetchable } from "./staged-bundles.ts";

export type { Fetchable } from "./staged-bundles.ts";

/** All sources of files. */
export interface Sources {
  /** @throws LocalizerError, StagingError */
  of(file: ResolvedFile, signal: AbortSignal): Promise<Fetchable>;
  close(): void;
}

/** Opens no connection before the first file is requested. Code for S3 and HDFS is loaded only if it is needed. */
export function openSources(config: ResolvedConfig, options: LocalizeOptions): Sources {
  const bundles = stagedBundles(config, options);
  let remote: RemoteContext | undefined;
  const openRemote = (): RemoteContext => {
    if (remote !== undefined) return remote;
    const profile = config.s3.profile ?? (options.env["AWS_PROFILE"] || "default");
    const credentials = loadCredentials(config.credentialsDir, profile, options.env, options.redactor);
    const http = remoteTransport(config, credentials.authorities, options);
    remote = { config, options, credentials, http, transport: downloadTransport(http, options) };
    return remote;
  };
  const remoteFile = remoteSources(openRemote);

  return {
    async of(file, signal) {
      const { from } = file;
      if (from.kind === "staged") return await bundles.file(file, from.bundle, from.file, signal);
      if (from.kind === "whole-bundle") return bundles.whole(from.bundle);
      const { digest, size, mode } = file;
      return { source: await remoteFile(from.uri), digest, size, mode };
    },
    close() {
      bundles.close();
      remote?.http.close();
    },
  };
}
