import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { request as plainRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import type { Certificate } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { fetchedServer, startRealServer, type RealServer } from "./real-server.ts";

const PROGRAM = fetchedServer("azurite/node_modules/azurite/dist/src/blob/main.js");

/** Whether there is an emulator of Azure's Blob service on this machine; see `servers/README.md`. */
export const hasAzurite: boolean = PROGRAM !== undefined;

export const AZURITE_ACCOUNT = "testaccount";
export const AZURITE_KEY: string = Buffer.from("a key of the emulator, which is no secret").toString("base64");

export interface AzuriteOptions {
  /** With a certificate it serves https, and then takes tokens, too; it does not check who has signed them. */
  readonly certificate?: Certificate;
}

/**
 * An emulator of Azure's Blob service with one empty container. Its endpoint has the account in its path.
 *
 * @param folder an empty folder for its data
 */
export async function startAzurite(
  folder: string,
  container: string,
  { certificate }: AzuriteOptions = {},
): Promise<RealServer> {
  const port = await freePort();
  const args = [PROGRAM ?? "azurite", "--blobHost", "127.0.0.1", "--blobPort", String(port), "--location", folder];
  const secure = certificate === undefined ? [] : secureArgs(folder, certificate);
  const endpoint = `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}/${AZURITE_ACCOUNT}`;
  return await startRealServer({
    command: process.execPath,
    args: [...args, "--silent", "--disableTelemetry", ...secure],
    env: { AZURITE_ACCOUNTS: `${AZURITE_ACCOUNT}:${AZURITE_KEY}` },
    endpoint,
    tryWrite: () => makeContainer(endpoint, container),
  });
}

function secureArgs(folder: string, { cert, key }: Certificate): readonly string[] {
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return ["--oauth", "basic", "--cert", certFile, "--key", keyFile];
}

/** Signed with the account's key ("Authorize with Shared Key"). */
async function makeContainer(endpoint: string, container: string): Promise<void> {
  const url = new URL(`${endpoint}/${container}?restype=container`);
  const headers = { "x-ms-date": new Date().toUTCString(), "x-ms-version": "2021-12-02" };
  const signed = [
    "PUT",
    ...Array<string>(11).fill(""),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    `/${AZURITE_ACCOUNT}${url.pathname}`,
    "restype:container",
  ];
  const signature = createHmac("sha256", Buffer.from(AZURITE_KEY, "base64")).update(signed.join("\n")).digest("base64");
  const authorization = `SharedKey ${AZURITE_ACCOUNT}:${signature}`;
  const status = await put(url, { ...headers, authorization });
  if (status !== 201 && status !== 409) throw new Error(`it makes no container: status ${status}`);
}

async function put(url: URL, headers: Readonly<Record<string, string>>): Promise<number> {
  return await new Promise((resolve, reject) => {
    const options = { method: "PUT", headers: { ...headers, "content-length": 0 } };
    const outgoing =
      url.protocol === "https:"
        ? request(url, { ...options, agent: new Agent({ rejectUnauthorized: false }) })
        : plainRequest(url, options);
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
    outgoing.end();
  });
}
