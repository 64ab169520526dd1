import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { freePort } from "@kindling/test-kit/free-port";

/** Where `test/servers/fetch.mjs` puts real servers. */
export const SERVERS: string =
  process.env["KINDLING_TEST_SERVERS"] ?? join(homedir(), ".cache", "kindling-test-servers");
export const VERSITYGW: string = join(SERVERS, "bin", "versitygw");
export const HDFS: string = join(SERVERS, "hdfs");

export const hasVersitygw: boolean = existsSync(VERSITYGW);
export const hasHdfs: boolean = existsSync(join(HDFS, "ready")) && process.env["KINDLING_TEST_HDFS"] === "1";

export interface RealServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** An S3 server over a folder, with one bucket. */
export async function startVersitygw(folder: string, bucket: string, env: Record<string, string>): Promise<RealServer> {
  await mkdir(join(folder, bucket), { recursive: true });
  const port = await freePort();
  const args = [
    "--quiet",
    "--keep-alive",
    "--port",
    `127.0.0.1:${port}`,
    "--access",
    env["AWS_ACCESS_KEY_ID"] ?? "",
    "--secret",
    env["AWS_SECRET_ACCESS_KEY"] ?? "",
    "posix",
    folder,
  ];
  return await startServer(VERSITYGW, args, `http://127.0.0.1:${port}`);
}

/** A name node and a data node of Hadoop. */
export async function startHdfs(folder: string): Promise<RealServer> {
  const port = await freePort();
  const args = ["-cp", `${HDFS}:${join(HDFS, "lib", "*")}`, "OneNodeHdfs", folder, String(port)];
  const endpoint = `http://127.0.0.1:${port}`;
  return await startServer(
    "java",
    ["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xmx512m", ...args],
    endpoint,
    async () => await hasDataNode(endpoint),
  );
}

/** The name node answers before its data node has come, and has no place for a file until then. */
async function hasDataNode(endpoint: string): Promise<boolean> {
  const bean = "Hadoop:service=NameNode,name=FSNamesystemState";
  const answer = await fetch(`${endpoint}/jmx?qry=${bean}`, { signal: AbortSignal.timeout(1000) });
  const { beans } = (await answer.json()) as { readonly beans: readonly { readonly NumLiveDataNodes?: number }[] };
  return (beans[0]?.NumLiveDataNodes ?? 0) > 0;
}

async function startServer(
  command: string,
  args: readonly string[],
  endpoint: string,
  ready: () => Promise<boolean> = async () => (await fetch(endpoint, { signal: AbortSignal.timeout(1000) })).status > 0,
): Promise<RealServer> {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors = (errors + data.toString()).slice(-4000)));
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let gone = false;
  void exited.then(() => (gone = true));
  for (let attempt = 0; attempt < 600; attempt++) {
    if (gone) throw new Error(`${command} did not start: ${errors}`);
    if (await ready().catch(() => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    endpoint,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
