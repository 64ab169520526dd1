import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { hadoopSite } from "./hadoop-site.ts";
import { startKdc, type Kdc } from "./kdc.ts";
import { START_LIMIT_MS } from "./real-server.ts";
import { startSecureHdfs, type SecureHdfs, type SecureHdfsOptions } from "./secure-hdfs.ts";

/** A KDC with a user alice, and an HDFS that asks for tickets. They are there while the tests of a suite run. */
export interface SecureHadoop {
  readonly kdc: Kdc;
  readonly hdfs: SecureHdfs;
  /** What a client's Hadoop needs: `fs.defaultFS`, and where WebHDFS is. */
  properties(): Readonly<Record<string, string>>;
  /** Writes core-site.xml and hdfs-site.xml into a folder. */
  writeSites(folder: string): void;
  /** Gets a ticket of alice with stock `kinit`, and returns the path of its cache. */
  login(): string;
}

/** Starts both before the tests of the suite in which it is called, and ends them behind the last one. */
export function secureHadoop(options: SecureHdfsOptions = {}): SecureHadoop {
  const { host = "localhost", certificate } = options;
  let running: { readonly kdc: Kdc; readonly hdfs: SecureHdfs } | undefined;
  const there = (): { readonly kdc: Kdc; readonly hdfs: SecureHdfs } => {
    if (running === undefined) throw new Error("the servers run only during the tests of the suite");
    return running;
  };
  let kdc: Kdc | undefined;
  let folder: string | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "kindling-kerberos-"));
    kdc = await startKdc(folder);
    kdc.addUser("alice", "secret");
    running = { kdc, hdfs: await startSecureHdfs(join(folder, "hdfs"), kdc, options) };
  }, START_LIMIT_MS);

  afterAll(async () => {
    await running?.hdfs.stop();
    await kdc?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const properties = (): Record<string, string> => {
    const { hdfs } = there();
    const web = `${host}:${hdfs.webPort}`;
    return {
      "fs.defaultFS": `hdfs://${host}:${hdfs.rpcPort}`,
      ...(certificate === undefined
        ? { "dfs.namenode.http-address": web }
        : { "dfs.http.policy": "HTTPS_ONLY", "dfs.namenode.https-address": web }),
    };
  };
  return {
    get kdc() {
      return there().kdc;
    },
    get hdfs() {
      return there().hdfs;
    },
    properties,
    writeSites(target) {
      const { "fs.defaultFS": defaultFS = "", ...web } = properties();
      const principal = { "dfs.namenode.kerberos.principal": `hdfs/${host}@${there().kdc.realm}` };
      mkdirSync(target, { recursive: true });
      writeFileSync(
        join(target, "core-site.xml"),
        hadoopSite({ "hadoop.security.authentication": "kerberos", "fs.defaultFS": defaultFS }),
      );
      writeFileSync(join(target, "hdfs-site.xml"), hadoopSite({ ...web, ...principal }));
    },
    login: () => there().kdc.login("alice", "secret"),
  };
}
