import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { httpTransport, withoutProxy } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { stagingTransport } from "@kindling/staging-client";
import type { ServerConfig } from "../../config/server-config.ts";
import type { DamageListener } from "../../damage.ts";
import type { Storage } from "../open-storage.ts";
import { StoreError } from "../store-error.ts";
import { hdfsClient, type HdfsCredentials } from "./hdfs-client.ts";
import { hdfsDocuments } from "./hdfs-documents.ts";
import { hdfsPaths } from "./hdfs-paths.ts";
import { hdfsStore } from "./hdfs-store.ts";

export interface OpenWebhdfsOptions {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onDamage?: DamageListener;
}

/** @throws KindlingError if HDFS cannot be used as configured */
export async function openWebhdfs({ config, clock, random, onDamage }: OpenWebhdfsOptions): Promise<Storage> {
  const http = httpTransport({
    clock,
    tls: {},
    proxies: withoutProxy,
    maxConnections: config["limits.downloads"] + 2 * config["limits.uploads"],
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 60_000,
    answerTimeoutMs: 120_000,
  });
  const transport = stagingTransport(http);
  const client = hdfsClient({
    endpoints: config["store.webhdfs.endpoints"].map(endpoint),
    dataHosts: config["store.webhdfs.dataHosts"],
    credentials: credentialsOf(config),
    transport,
    clock,
    random,
  });
  const paths = hdfsPaths(config["store.webhdfs.path"]);
  const made = new Map<string, Promise<void>>();
  const ensureDirectory = (path: string): Promise<void> => {
    const making = made.get(path) ?? client.makeDirectory(path);
    // The folders of ingests come and go; those that stay are few.
    if (!path.startsWith(`${paths.ingest}/`)) made.set(path, making);
    making.catch(() => made.delete(path));
    return making;
  };
  try {
    for (const folder of [paths.root, paths.blobs, paths.ingest, paths.meta, paths.fresh])
      await ensureDirectory(folder);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new KindlingError("CONF_INVALID", `HDFS cannot be used: ${error.message}`, {
      hint: "check store.webhdfs.endpoints, store.webhdfs.path and the credentials",
      cause: error,
    });
  }
  return {
    store: hdfsStore({ client, paths, segmentSize: config["store.webhdfs.segmentSize"], ensureDirectory }),
    documents: hdfsDocuments(client, paths, ensureDirectory, onDamage),
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

function endpoint(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new KindlingError("CONF_INVALID", `store.webhdfs.endpoints: ${JSON.stringify(text)} is no http or https URI`);
}

function credentialsOf(config: ServerConfig): () => Promise<HdfsCredentials> {
  const { "store.webhdfs.user": user, "store.webhdfs.tokenFile": tokenFile } = config;
  const { "store.webhdfs.basicAuthFile": basicFile } = config;
  const read = async (key: string, path: string): Promise<string> => {
    try {
      return (await readFile(path, "utf8")).trim();
    } catch (error) {
      throw new KindlingError("FILE_UNREADABLE", `${key}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
    }
  };
  return async () => {
    const token = tokenFile === undefined ? undefined : await read("store.webhdfs.tokenFile", tokenFile);
    const basic = basicFile === undefined ? undefined : await read("store.webhdfs.basicAuthFile", basicFile);
    return {
      query: {
        // A delegation token says who one is; a name beside it would be refused.
        ...(token === undefined ? user !== undefined && { "user.name": user } : { delegation: token }),
      },
      authorization: basic === undefined ? undefined : `Basic ${Buffer.from(basic).toString("base64")}`,
    };
  };
}
