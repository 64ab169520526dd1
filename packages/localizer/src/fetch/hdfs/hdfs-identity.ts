import { lookup } from "node:dns/promises";
import type { Environment } from "../../config/environment.ts";
import type { Credentials } from "../../credentials/credentials.ts";
import { tokenFor } from "../../credentials/hadoop-tokens.ts";
import type { HdfsLocation } from "./hdfs-location.ts";
import type { Identity } from "./namenode.ts";

/**
 * Who we are to a WebHDFS service: a delegation token of that HDFS, else the user's name; and whatever header fields the
 * credentials have for the host, as HttpFS behind Knox wants them.
 */
export function hdfsIdentity(
  { authority }: HdfsLocation,
  credentials: Credentials,
  env: Environment,
): (service: URL) => Promise<Identity> {
  return async (service) => {
    const host = service.hostname.replace(/^\[|\]$/g, "");
    const token = await delegationToken(credentials, authority, host);
    const user = env["HADOOP_USER_NAME"] || env["SPARK_USER"];
    return {
      query: token !== undefined ? { delegation: token } : user ? { "user.name": user } : {},
      headers: credentials.headersFor(service),
    };
  };
}

async function delegationToken(
  { hadoopTokens }: Credentials,
  authority: string,
  host: string,
): Promise<string | undefined> {
  if (hadoopTokens.length === 0) return undefined;
  // Hadoop names services by address (hadoop.security.token.service.use_ip).
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return tokenFor(hadoopTokens, authority, [host, ...addresses.map(({ address }) => address)])?.urlString;
}
