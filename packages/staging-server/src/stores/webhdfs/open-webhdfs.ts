import { KindlingError } from "@kindling/core-spec";
import { environmentProxies, httpTransport } from "@kindling/http";
import { webhdfsPlace } from "@kindling/stores/webhdfs";
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
  const client = hdfsFiles(webhdfsPlace(settings, { transport, clock, random }));
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
