import { WEBHDFS_VARIABLE } from "../../config/environment.ts";
import type { ResolvedConfig } from "../../config/localizer-config.ts";
import { LocalizerError } from "../../report/localizer-error.ts";

/** Where a file of an HDFS can be requested. */
export interface HdfsLocation {
  /** The name service or `host:port` of the URI. */
  readonly authority: string;
  /** Base URLs of WebHDFS or HttpFS services; with high availability, one of them is active. */
  readonly services: readonly URL[];
  /** The path of the file, not encoded. */
  readonly path: string;
}

/**
 * Parses the URI of a file of HDFS. `webhdfs:` and `swebhdfs:` URIs name the address of WebHDFS (Hadoop, "WebHDFS REST
 * API"). An `hdfs:` URI has only the RPC port, so the configuration must have the address.
 *
 * @throws LocalizerError `config`
 */
export function hdfsLocation(uri: string, webhdfs: ResolvedConfig["webhdfs"]): HdfsLocation {
  const [, scheme = "", authority = "", rest = ""] = /^([^:]+):\/\/([^/]+)(\/.*)$/s.exec(uri) ?? [];
  const path = rest.split("/").map(decoded).join("/");
  const configured = webhdfs.get(authority);
  if (configured !== undefined) return { authority, services: configured.map((base) => new URL(base)), path };
  if (scheme.toLowerCase() === "hdfs") {
    throw new LocalizerError("config", `hdfs://${authority} is read through WebHDFS, whose address is not known`, {
      hint:
        `set webhdfs: { ${JSON.stringify(authority)}: "http://namenode:9870" } in the configuration, or give the init ` +
        `container ${WEBHDFS_VARIABLE}=${authority}=http://namenode:9870, or write webhdfs://namenode:9870/…`,
    });
  }
  return {
    authority,
    services: [new URL(`${scheme.toLowerCase() === "swebhdfs" ? "https" : "http"}://${authority}`)],
    path,
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
