import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { KindlingError } from "@kindling/core-spec";
import { httpTransport, withoutProxy, type HttpTransport } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { stagingTransport } from "@kindling/staging-client";
import type { ServerConfig } from "../../config/server-config.ts";
import type { DamageListener } from "../../damage.ts";
import type { DocumentStore } from "../../metadata/document-store.ts";
import type { Storage } from "../open-storage.ts";
import { StoreError } from "../store-error.ts";
import { s3Client } from "./s3-client.ts";
import { credentialFiles, s3Credentials, type CredentialWorld } from "./s3-credentials.ts";
import { s3Documents } from "./s3-documents.ts";
import { s3Keys } from "./s3-keys.ts";
import { s3Store } from "./s3-store.ts";

export interface OpenS3Options {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onDamage?: DamageListener;
}

/** @throws KindlingError if the bucket cannot be used as configured, or its server cannot do what is needed */
export async function openS3({ config, clock, random, env, onDamage }: OpenS3Options): Promise<Storage> {
  const http = httpTransport({
    clock,
    tls: {},
    proxies: withoutProxy,
    // Every download and upload may need one.
    maxConnections: config["limits.downloads"] + 2 * config["limits.uploads"],
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
  const transport = stagingTransport(http);
  const now = (): number => Date.now();
  const region = config["store.s3.region"];
  const world: CredentialWorld = { ...credentialFiles(), env, now, fetchText: textFetcher(transport) };
  const client = s3Client({
    bucketUrl: bucketUrl(config),
    region,
    credentials: s3Credentials(config["store.s3.credentialsFile"], region, world),
    transport,
    clock,
    random,
    now,
  });
  const keys = s3Keys(config["store.s3.prefix"]);
  const documents = s3Documents(client, keys, onDamage);
  const store = s3Store({
    client,
    keys,
    partSize: config["store.s3.partSize"],
    spoolFolder: config["store.s3.spoolPath"] ?? tmpdir(),
  });
  await checkConditions(documents, config);
  return {
    store,
    documents,
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

function bucketUrl(config: ServerConfig): URL {
  const bucket = config["store.s3.bucket"] ?? "";
  const endpoint = config["store.s3.endpoint"] ?? `https://s3.${config["store.s3.region"]}.amazonaws.com/`;
  if (!URL.canParse(endpoint)) {
    throw new KindlingError("CONF_INVALID", `store.s3.endpoint: ${JSON.stringify(endpoint)} is no URI`);
  }
  const url = new URL(endpoint);
  if (config["store.s3.pathStyle"]) url.pathname = `${url.pathname.replace(/\/$/, "")}/${bucket}`;
  else url.host = `${bucket}.${url.host}`;
  return url;
}

/** A server that passed over conditions would let two writers destroy each other's documents, and say nothing. */
async function checkConditions(documents: DocumentStore, config: ServerConfig): Promise<void> {
  const name = randomUUID();
  const where = `bucket ${config["store.s3.bucket"] ?? ""} at ${config["store.s3.endpoint"] ?? "AWS"}`;
  try {
    const first = await documents.put("probes", name, 1, { expect: undefined });
    const again = await refuses(() => documents.put("probes", name, 2, { expect: undefined }));
    const second = await documents.put("probes", name, 3, { expect: first });
    const stale = await refuses(() => documents.put("probes", name, 4, { expect: first }));
    await documents.delete("probes", name);
    if (again && stale && second !== first) return;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new KindlingError("CONF_INVALID", `the ${where} cannot be used: ${error.message}`, {
      hint: "check endpoint, bucket, region and credentials, and that they may read, write, list and delete",
      cause: error,
    });
  }
  throw new KindlingError("UNSUPPORTED", `the server of ${where} passes over If-Match or If-None-Match`, {
    hint: "use a server with conditional writes, as AWS has had them since 2024",
  });
}

async function refuses(put: () => Promise<unknown>): Promise<boolean> {
  try {
    await put();
    return false;
  } catch (error) {
    if (error instanceof StoreError && error.kind === "conflict") return true;
    throw error;
  }
}

function textFetcher(transport: HttpTransport): CredentialWorld["fetchText"] {
  return async (url, { method, headers, body }) => {
    const response = await transport.send({
      method,
      url,
      headers,
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body as AsyncIterable<Buffer>) chunks.push(chunk);
    if (response.status < 200 || response.status > 299) {
      throw new StoreError("unavailable", `${url.origin} gave no credentials: status ${response.status}`);
    }
    return Buffer.concat(chunks).toString("utf8");
  };
}
