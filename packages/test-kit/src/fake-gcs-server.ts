import { randomBytes } from "node:crypto";
import { freePort } from "./free-port.ts";
import { fetchedServer, startRealServer, type RealServer } from "./real-server.ts";

const PROGRAM = fetchedServer("bin/fake-gcs-server");

/** Whether there is an emulator of Google Cloud Storage on this machine; see `servers/README.md`. */
export const hasFakeGcsServer: boolean = PROGRAM !== undefined;

/** An emulator of Google Cloud Storage with one empty bucket, in memory and without credentials. */
export async function startFakeGcsServer(bucket: string): Promise<RealServer> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let made = false;
  return await startRealServer({
    command: PROGRAM ?? "fake-gcs-server",
    args: ["-scheme", "http", "-host", "127.0.0.1", "-port", String(port), "-backend", "memory", "-log-level", "error"],
    endpoint,
    async tryWrite() {
      made ||= await makeBucket(endpoint, bucket);
      await tryObject(endpoint, bucket);
    },
  });
}

async function makeBucket(endpoint: string, name: string): Promise<boolean> {
  const response = await fetch(`${endpoint}/storage/v1/b?project=test`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`it makes no bucket: status ${response.status}`);
  return true;
}

async function tryObject(endpoint: string, bucket: string): Promise<void> {
  const bytes = new Uint8Array(randomBytes(1000));
  const upload = `${endpoint}/upload/storage/v1/b/${bucket}/o?uploadType=media&name=ready`;
  const object = `${endpoint}/storage/v1/b/${bucket}/o/ready`;
  await send("POST", upload, bytes);
  if (!(await send("GET", `${object}?alt=media`)).equals(bytes)) throw new Error("it gives back other bytes");
  await send("DELETE", object);
}

async function send(method: string, url: string, body?: Uint8Array<ArrayBuffer>): Promise<Buffer> {
  const response = await fetch(url, { method, ...(body !== undefined && { body }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${method}: status ${response.status} ${bytes.toString("utf8", 0, 500)}`);
  return bytes;
}
