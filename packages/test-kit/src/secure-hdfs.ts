import { join } from "node:path";
import { hasHdfs } from "./one-node-hdfs.ts";
import { fetchedServer, startRealServer, type RealServer } from "./real-server.ts";
import { freePort } from "./free-port.ts";
import { hasKdc, type Kdc } from "./kdc.ts";

const HOME = fetchedServer("hdfs/SecureHdfs.class") === undefined ? undefined : fetchedServer("hdfs");

/** Whether there are a real KDC and an HDFS on this machine that tests may use; see `servers/README.md`. */
export const hasSecureHdfs: boolean = HOME !== undefined && hasHdfs && hasKdc;

export interface SecureHdfs extends RealServer {
  readonly rpcPort: number;
  readonly httpPort: number;
}

/**
 * A name node and a data node of Hadoop with Kerberos.
 *
 * @param host where they listen
 */
export async function startSecureHdfs(folder: string, kdc: Kdc, host: string = "localhost"): Promise<SecureHdfs> {
  const home = HOME ?? "";
  const keytab = kdc.addServices(`hdfs/${host}`, `HTTP/${host}`);
  const [rpcPort, httpPort] = [await freePort(), await freePort()];
  const endpoint = `http://${host}:${httpPort}`;
  const server = await startRealServer({
    command: "java",
    args: [
      ...["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xmx512m"],
      ...["--add-exports", "java.security.jgss/sun.security.krb5=ALL-UNNAMED"],
      `-Djava.security.krb5.conf=${kdc.krb5Conf}`,
      ...["-cp", `${home}:${join(home, "lib", "*")}`],
      ...["SecureHdfs", folder, String(rpcPort), String(httpPort), kdc.realm, keytab, host],
    ],
    endpoint,
    tryWrite: () => answersStrangers(`${endpoint}/webhdfs/v1/?op=GETHOMEDIRECTORY`),
  });
  return { ...server, rpcPort, httpPort };
}

/** Without a login, a name node that is ready asks for one. */
async function answersStrangers(url: string): Promise<void> {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (status !== 401) throw new Error(`status ${status}`);
}
