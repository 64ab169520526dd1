import { tmpdir } from "node:os";
import { KindlingError } from "@kindling/core-spec";
import { environmentProxies, httpTransport, type HttpTransport } from "@kindling/http";
import { isObjectStoreError } from "@kindling/object-store";
import type { Random } from "@kindling/outside";
import type { BucketPlace } from "@kindling/stores";
import { StoreError } from "../../errors/store-error.ts";
import type { DocumentStore } from "../document-store.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import { bucketDocuments } from "./bucket-documents.ts";
import { bucketKeys } from "./bucket-keys.ts";
import { bucketObjects } from "./bucket-objects.ts";
import { bucketStore } from "./bucket-store.ts";
import { openSpool } from "./spool.ts";

/** This server, as logs of a store name it. */
export const PROGRAM = "kindling-staging";

export interface BucketStorageOptions extends BucketPlace {
  /** The kind of the store's driver. */
  readonly kind: string;
  readonly transport: HttpTransport;
  readonly partSize: number;
  readonly spoolPath: string | undefined;
  readonly recordPauseMs: number;
}

/** The connections of a server to its object store. */
export function bucketTransport({ clock, env, descriptors }: StoreContext): HttpTransport {
  return httpTransport({
    clock,
    tls: {},
    proxies: environmentProxies(env),
    // Every download and upload may need a connection.
    maxConnections: descriptors.downloads + 2 * descriptors.uploads,
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
}

/**
 * Everything of a server in one bucket.
 *
 * @throws KindlingError if the bucket cannot be used as configured, or its server lacks needed functions
 */
export async function openBucket(options: BucketStorageOptions, context: StoreContext): Promise<Storage> {
  const { kind, transport, prefix, partSize, recordPauseMs } = options;
  const { random, clock, onDamage } = context;
  const bucket = bucketObjects(options.bucket);
  const keys = bucketKeys(prefix, random);
  const documents = bucketDocuments(bucket, keys, onDamage);
  const folder = options.spoolPath ?? tmpdir();
  const store = bucketStore(kind, {
    bucket,
    keys,
    clock,
    partSize,
    recordPauseMs,
    openSpool: () => openSpool(folder, `${PROGRAM}-${random.uuid()}`, bucket.checksum),
  });
  try {
    await checkConditions(documents, options, random);
  } catch (error) {
    transport.close();
    throw error;
  }
  return {
    store,
    documents,
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

/** If a server ignored conditions, two writers would destroy each other's documents without an error. */
async function checkConditions(
  documents: DocumentStore,
  { bucket, hint }: BucketStorageOptions,
  random: Random,
): Promise<void> {
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
    throw unusable(bucket.name, hint, error);
  }
  throw new KindlingError("UNSUPPORTED", `the server of ${bucket.name} ignores the conditions of writes`, {
    hint: "use a server with conditional writes (If-Match, If-None-Match), as AWS has had them since 2024",
  });
}

function unusable(where: string, hint: string, error: StoreError): KindlingError {
  const { cause } = error;
  if (isObjectStoreError(cause) && cause.fault === "credentials" && cause.status === undefined) {
    return new KindlingError("CONF_MISSING", error.message, { ...(cause.hint && { hint: cause.hint }), cause });
  }
  const own = isObjectStoreError(cause) ? cause.hint : undefined;
  return new KindlingError("CONF_INVALID", `${where} cannot be used: ${error.message}`, {
    hint: own ?? hint,
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
