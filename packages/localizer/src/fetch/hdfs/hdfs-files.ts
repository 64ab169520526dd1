import { delegationToken, identityQuery, webHdfsClient } from "@kindling/object-store/webhdfs";
import type { FileOf, RemoteContext } from "../remote-source.ts";
import { hdfsFile } from "./hdfs-file.ts";
import { hdfsLocation } from "./hdfs-location.ts";

/**
 * Files of HDFS by their URI. To a WebHDFS service we are a delegation token of that HDFS, else the user's name; and
 * whatever header fields the credentials have for its host, as HttpFS behind Knox wants them.
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
        // Each service once: after that, the whole download is gone on with after a while.
        attempts: services.length,
        backoff: { baseMs: 0, capMs: 0 },
      },
    });
    return hdfsFile(uri, path, client);
  };
}
