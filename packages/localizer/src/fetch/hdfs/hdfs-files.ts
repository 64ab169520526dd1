import type { DownloadSource, StagingTransport } from "@kindling/staging-client";
import type { Environment } from "../../config/environment.ts";
import type { ResolvedConfig } from "../../config/localizer-config.ts";
import type { Credentials } from "../../credentials/credentials.ts";
import { hdfsFile } from "./hdfs-file.ts";
import { hdfsIdentity } from "./hdfs-identity.ts";
import { hdfsLocation } from "./hdfs-location.ts";

/** Files of HDFS by their URI. */
export function hdfsFiles(
  { webhdfs, dataNodeHosts }: ResolvedConfig,
  credentials: Credentials,
  transport: StagingTransport,
  env: Environment,
): (uri: string) => DownloadSource {
  return (uri) => {
    const location = hdfsLocation(uri, webhdfs);
    const identity = hdfsIdentity(location, credentials, env);
    return hdfsFile(uri, { location, transport, dataNodeHosts, identity });
  };
}
