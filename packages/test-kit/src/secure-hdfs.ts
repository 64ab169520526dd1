import { mkdirSync, writeFileSync } from "node:fs";
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { join } from "node:path";
import { keyStore } from "@kindling/x509";
import type { Certificate } from "./certificates.ts";
import { hadoopSite } from "./hadoop-site.ts";
import { hasHdfs } from "./one-node-hdfs.ts";
import { fetchedServer, startRealServer, type RealServer } from "./real-server.ts";
import { freePort } from "./free-port.ts";
import { hasKdc, type Kdc } from "./kdc.ts";

const HOME = fetchedServer("hdfs/SecureHdfs.class") === undefined ? undefined : fetchedServer("hdfs");

/** Whether there are a real KDC and an HDFS on this machine that tests may use; see `servers/README.md`. */
export const hasSecureHdfs: boolean = HOME !== undefined && hasHdfs && hasKdc;

export interface SecureHdfs extends RealServer {
  readonly rpcPort: number;
  /** Of WebHDFS, also over TLS. */
  readonly webPort: number;
}

export interface SecureHdfsOptions {
  /** Where they listen. Default: `localhost`. */
  readonly host?: string;
  /** If set, WebHDFS is served over TLS alone, with this certificate. */
  readonly certificate?: Certificate;
  /** Further properties of Hadoop. */
  readonly properties?: Readonly<Record<string, string>>;
}

const STORE_PASSWORD = "changeit";

/** A name node and a data node of Hadoop with Kerberos. */
export async function startSecureHdfs(folder: string, kdc: Kdc, options: SecureHdfsOptions = {}): Promise<SecureHdfs> {
  const { host = "localhost", certificate, properties = {} } = options;
  const home = HOME ?? "";
  const keytab = kdc.addServices(`hdfs/${host}`, `HTTP/${host}`);
  const [rpcPort, webPort] = [await freePort(), await freePort()];
  const endpoint = `${certificate === undefined ? "http" : "https"}://${host}:${webPort}`;
  const all = { ...properties, ...(certificate !== undefined && { "dfs.http.policy": "HTTPS_ONLY" }) };
  const conf = certificate === undefined ? [] : [writeServerTls(folder, certificate)];
  const server = await startRealServer({
    command: "java",
    args: [
      ...["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xmx512m"],
      ...["--add-exports", "java.security.jgss/sun.security.krb5=ALL-UNNAMED"],
      `-Djava.security.krb5.conf=${kdc.krb5Conf}`,
      ...["-cp", [...conf, home, join(home, "lib", "*")].join(":")],
      ...["SecureHdfs", folder, String(rpcPort), String(webPort), kdc.realm, keytab, host],
      ...Object.entries(all).map(([name, value]) => `${name}=${value}`),
    ],
    endpoint,
    tryWrite: () => answersStrangers(`${endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY`),
  });
  return { ...server, rpcPort, webPort };
}

/** Hadoop's servers look for ssl-server.xml on the class path. Returns the folder to put there. */
function writeServerTls(folder: string, { cert, key }: Certificate): string {
  const conf = `${folder}-conf`;
  mkdirSync(conf, { recursive: true });
  const store = join(conf, "server.p12");
  writeFileSync(store, keyStore({ certificate: cert, key }, STORE_PASSWORD, "server"));
  const settings = {
    "ssl.server.keystore.location": store,
    "ssl.server.keystore.password": STORE_PASSWORD,
    "ssl.server.keystore.keypassword": STORE_PASSWORD,
    "ssl.server.keystore.type": "pkcs12",
  };
  writeFileSync(join(conf, "ssl-server.xml"), hadoopSite(settings));
  return conf;
}

/** Without a login, a name node that is ready asks for one. */
async function answersStrangers(url: string): Promise<void> {
  const get = url.startsWith("https:") ? getSecure : getPlain;
  await new Promise<void>((resolve, reject) => {
    // Whether the certificate is good is a matter of the tests.
    const request = get(url, { rejectUnauthorized: false, timeout: 10_000, agent: false }, ({ statusCode }) => {
      request.destroy();
      if (statusCode === 401) resolve();
      else reject(new Error(`status ${statusCode}`));
    });
    request.on("error", reject);
    request.on("timeout", () => request.destroy(new Error("no answer")));
  });
}
