import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { environmentProxies, httpTransport } from "@kindling/http";
import { identityQuery, webHdfsClient, type Identity } from "@kindling/object-store/webhdfs";
import { StoreError } from "../../errors/store-error.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import { hdfsDocuments } from "./hdfs-documents.ts";
import { hdfsFiles } from "./hdfs-files.ts";
import { hdfsPaths } from "./hdfs-paths.ts";
import { hdfsStore } from "./hdfs-store.ts";
import type { WebhdfsSettings } from "./webhdfs-settings.ts";

/** @throws KindlingError if HDFS cannot be used as configured */
export async function openWebhdfs(settings: WebhdfsSettings, context: StoreContext): Promise<Storage> {
  const { clock, random, env, descriptors, onDamage } = context;
  const transport = httpTransport({
    clock,
    tls: {},
    proxies: environmentProxies(env),
    maxConnections: descriptors.downloads + 2 * descriptors.uploads,
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 60_000,
    answerTimeoutMs: 120_000,
  });
  const client = hdfsFiles(
    webHdfsClient({
      services: settings["store.webhdfs.endpoints"].map(endpoint),
      dataNodes: settings["store.webhdfs.dataHosts"],
      identity: identityOf(settings),
      connection: { transport, clock, random, attempts: 6 },
    }),
  );
  const paths = hdfsPaths(settings["store.webhdfs.path"]);
  const made = new Map<string, Promise<void>>();
  const ensureDirectory = (path: string): Promise<void> => {
    const making = made.get(path) ?? client.makeDirectory(path);
    // Folders of ingests are short-lived; only few folders stay.
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
  const shared = { client, random, paths, ensureDirectory };
  return {
    store: hdfsStore({ ...shared, segmentSize: settings["store.webhdfs.segmentSize"] }),
    documents: hdfsDocuments({ ...shared, onDamage }),
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

function identityOf(settings: WebhdfsSettings): () => Promise<Identity> {
  const { "store.webhdfs.user": user, "store.webhdfs.tokenFile": tokenFile } = settings;
  const { "store.webhdfs.basicAuthFile": basicFile } = settings;
  return async () => {
    const token = tokenFile === undefined ? undefined : await read("store.webhdfs.tokenFile", tokenFile);
    const basic = basicFile === undefined ? undefined : await read("store.webhdfs.basicAuthFile", basicFile);
    return {
      query: identityQuery(token, user),
      headers: basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` },
    };
  };
}

async function read(key: string, path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
