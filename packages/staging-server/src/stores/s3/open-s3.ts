import { tmpdir } from "node:os";
import { KindlingError } from "@kindling/core-spec";
import { environmentProxies, httpTransport } from "@kindling/http";
import { isObjectStoreError, type StoreConnection } from "@kindling/object-store";
import { bucketAt, s3Client, type Bucket } from "@kindling/object-store/s3";
import type { Random } from "@kindling/outside";
import { StoreError } from "../../errors/store-error.ts";
import type { DocumentStore } from "../document-store.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import { s3Credentials } from "./s3-credentials.ts";
import { s3Documents } from "./s3-documents.ts";
import { s3Keys } from "./s3-keys.ts";
import { s3Objects } from "./s3-objects.ts";
import type { S3Settings } from "./s3-settings.ts";
import { s3Store } from "./s3-store.ts";
import { openSpool } from "./spool.ts";

/** @throws KindlingError if the bucket cannot be used as configured, or its server lacks needed functions */
export async function openS3(settings: S3Settings, context: StoreContext): Promise<Storage> {
  const { clock, random, env, descriptors, onDamage } = context;
  const transport = httpTransport({
    clock,
    tls: {},
    proxies: environmentProxies(env),
    // Every download and upload may need a connection.
    maxConnections: descriptors.downloads + 2 * descriptors.uploads,
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
  const connection: StoreConnection = { transport, clock, random };
  const bucket = bucketOf(settings);
  const credentials = s3Credentials(settings["store.s3.credentialsFile"], bucket.region, { transport, clock, env });
  const client = s3Objects(s3Client({ bucket, credentials, connection }));
  const keys = s3Keys(settings["store.s3.prefix"], random);
  const documents = s3Documents(client, keys, onDamage);
  const folder = settings["store.s3.spoolPath"] ?? tmpdir();
  const store = s3Store({
    client,
    keys,
    partSize: settings["store.s3.partSize"],
    openSpool: () => openSpool(folder, `kindling-staging-${random.uuid()}`),
  });
  await checkConditions(documents, `bucket ${bucket.name} at ${settings["store.s3.endpoint"] ?? "AWS"}`, random);
  return {
    store,
    documents,
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

function bucketOf(settings: S3Settings): Bucket {
  try {
    return bucketAt({
      name: settings["store.s3.bucket"] ?? "",
      endpoint: settings["store.s3.endpoint"],
      region: settings["store.s3.region"],
      pathStyle: settings["store.s3.pathStyle"],
    });
  } catch (error) {
    if (!isObjectStoreError(error)) throw error;
    throw new KindlingError("CONF_INVALID", `store.s3.endpoint: ${error.message}`, { cause: error });
  }
}

/** If a server ignored conditions, two writers would destroy each other's documents without an error. */
async function checkConditions(documents: DocumentStore, where: string, random: Random): Promise<void> {
  const name = random.uuid();
  try {
    const first = await documents.put("probes", name, 1, { expect: undefined });
    const again = await refuses(() => documents.put("probes", name, 2, { expect: undefined }));
    const second = await documents.put("probes", name, 3, { expect: first });
    const stale = await refuses(() => documents.put("probes", name, 4, { expect: first }));
    await documents.delete("probes", name);
    if (again && stale && second !== first) return;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw unusable(where, error);
  }
  throw new KindlingError("UNSUPPORTED", `the server of ${where} ignores If-Match or If-None-Match`, {
    hint: "use a server with conditional writes, as AWS has had them since 2024",
  });
}

function unusable(where: string, error: StoreError): KindlingError {
  const { cause } = error;
  if (isObjectStoreError(cause) && cause.fault === "credentials" && cause.status === undefined) {
    return new KindlingError("CONF_MISSING", error.message, { ...(cause.hint && { hint: cause.hint }), cause });
  }
  return new KindlingError("CONF_INVALID", `the ${where} cannot be used: ${error.message}`, {
    hint: "check endpoint, bucket, region and credentials, and that they may read, write, list and delete",
    cause: error,
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
