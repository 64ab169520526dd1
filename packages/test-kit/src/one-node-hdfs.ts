import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import { fetchedServer, startRealServer, type RealServer } from "./real-server.ts";
import { freePort } from "./free-port.ts";

const HOME = fetchedServer("hdfs/ready") === undefined ? undefined : fetchedServer("hdfs");

/** Whether there is a real HDFS on this machine that tests may use; see `servers/README.md`. */
export const hasHdfs: boolean = HOME !== undefined && process.env["KINDLING_TEST_HDFS"] === "1";

const ATTEMPT_MS = 10_000;

/**
 * A name node and a data node of Hadoop, used through WebHDFS.
 *
 * A name node answers before it has a data node, and counts a data node as live before it has reported its free space: until
 * its first heartbeat, every CREATE is refused with `IOException: Failed to find datanode` (Hadoop,
 * NamenodeWebHdfsMethods.chooseDatanode). On a busy machine this takes half a second or more.
 */
export async function startHdfs(folder: string): Promise<RealServer> {
  const home = HOME ?? "";
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const classPath = `${home}:${join(home, "lib", "*")}`;
  return await startRealServer({
    command: "java",
    args: [
      ...["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xmx512m"],
      ...["-cp", classPath, "OneNodeHdfs", folder, String(port)],
    ],
    endpoint,
    tryWrite: () => tryFile(`${endpoint}/webhdfs/v1/ready?user.name=test&op=`),
  });
}

async function tryFile(operation: string): Promise<void> {
  const bytes = randomBytes(1000);
  await atDataNode("PUT", `${operation}CREATE&overwrite=true`, bytes);
  if (!(await atDataNode("GET", `${operation}OPEN`)).equals(bytes)) throw new Error("it gives back other bytes");
  await send("DELETE", `${operation}DELETE`);
}

/** The two steps of WebHDFS: the name node says at which data node the bytes are. */
async function atDataNode(method: string, url: string, body?: Buffer): Promise<Buffer> {
  const answer = JSON.parse((await send(method, `${url}&noredirect=true`)).toString("utf8")) as { Location: string };
  return await send(method, answer.Location, body);
}

/** Not with `fetch`, which does not accept the unrequested 100 that a data node sends. */
async function send(method: string, url: string, body?: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(url, { method, signal: AbortSignal.timeout(ATTEMPT_MS) }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode = 0 } = response;
        if (statusCode < 300) resolve(bytes);
        else reject(new Error(`${method} ${url}: status ${statusCode} ${bytes.toString("utf8", 0, 500)}`));
      }, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
