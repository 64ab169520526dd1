import { delegationToken, identityQuery, webHdfsClient } from "@kindling/object-store/webhdfs";
import type { FileOf, RemoteContext } from "../remote-source.ts";
import { hdfsFile } from "./hdfs-file.ts";
import { hdfsLocation } from "./hdfs-location.ts";

/**
 * Files of HDFS by their URI. A request to a WebHDFS service has a delegation token of that HDFS, or else the user's
 * name. It also has the header fields that the credentials have for its host, which HttpFS behind Knox needs.
 */
export function hdfsFiles({ config, options, credentials, http }: RemoteContext): FileOf {
  const { clock, random, env, redactor } = options;
  return (uri) => {
    const { authority, services, path } = hdfsLocation(uri, config.webhdfs);
    const client = webHdfsClient({
      services,
      dataNodes: config.dataNodeHosts,
      identity: async (service) => {
        const token = await delegationToken(credentials.hadoopTokens, authority, service);
        const query = identityQuery(token, env["HADOOP_USER_NAME"] || env["SPARK_USER"]);
        return { query, headers: credentials.headersFor(service) };
      },
      connection: {
        clock,
        random,
        transport: http,
        redact: (text) => redactor.clean(text),
        // Each service is tried once; after that, the whole download is continued after a while.
        attempts: services.length,
        backoff: { baseMs: 0, capMs: 0 },
      },
    });
    return hdfsFile(uri, path, client);
  };
}
