import type { DownloadSource, HttpTransport } from "@kindling/staging-client";
import type { ResolvedConfig, ResolvedFile } from "../config/localizer-config.ts";
import { loadCredentials, type Credentials } from "../credentials/credentials.ts";
import type { LocalizeOptions } from "../localize-options.ts";
import { httpFile } from "./http-file.ts";
import { remoteTransport } from "./remote-transport.ts";
import { stagedBundles, type Fetchable } from "./staged-bundles.ts";

export type { Fetchable } from "./staged-bundles.ts";

/** Everything that files are fetched from. */
export interface Sources {
  /** @throws LocalizerError, StagingError */
  of(file: ResolvedFile, signal: AbortSignal): Promise<Fetchable>;
  close(): void;
}

/** Opens no connection before the first file is asked for. What only S3 and HDFS need is loaded for them alone. */
export function openSources(config: ResolvedConfig, outside: LocalizeOptions): Sources {
  const bundles = stagedBundles(config, outside);
  let remote: { readonly credentials: Credentials; readonly transport: HttpTransport } | undefined;

  const openRemote = (): { readonly credentials: Credentials; readonly transport: HttpTransport } => {
    if (remote !== undefined) return remote;
    const profile = config.s3.profile ?? (outside.env["AWS_PROFILE"] || "default");
    const credentials = loadCredentials(config.credentialsDir, profile, outside.env, outside.redactor);
    remote = { credentials, transport: remoteTransport(config, credentials.authorities, outside) };
    return remote;
  };
  const remoteSource = async (uri: string): Promise<DownloadSource> => {
    const { credentials, transport } = openRemote();
    const scheme = uri.slice(0, uri.indexOf(":")).toLowerCase();
    switch (scheme) {
      case "s3":
      case "s3a":
        return (await s3(credentials, transport))(uri);
      case "hdfs":
      case "webhdfs":
      case "swebhdfs":
        return (await hdfs(credentials, transport))(uri);
      default:
        return httpFile(uri, transport, credentials, config.redirectHosts, outside.redactor);
    }
  };
  let keysByRegion: Promise<(uri: string) => DownloadSource> | undefined;
  const s3 = (credentials: Credentials, transport: HttpTransport): Promise<(uri: string) => DownloadSource> =>
    (keysByRegion ??= import("./s3/s3-files.ts").then(({ s3Files }) =>
      s3Files(config.s3, credentials, transport, outside),
    ));
  const hdfs = async (credentials: Credentials, transport: HttpTransport): Promise<(uri: string) => DownloadSource> => {
    const { hdfsFiles } = await import("./hdfs/hdfs-files.ts");
    return hdfsFiles(config, credentials, transport, outside.env);
  };

  return {
    async of(file, signal) {
      const { from } = file;
      if (from.kind === "staged") return await bundles.file(file, from.bundle, from.file, signal);
      if (from.kind === "whole-bundle") return bundles.whole(from.bundle);
      const { digest, size, mode } = file;
      return { source: await remoteSource(from.uri), digest, size, mode };
    },
    close() {
      bundles.close();
      remote?.transport.close();
    },
  };
}
