import { open, readFile, type FileHandle } from "node:fs/promises";
import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { environmentProxies, httpTransport, type HttpTransport } from "@kindling/http";
import {
  awsSources,
  bodyOf,
  credentialsChain,
  MOST_PARTS,
  multipartUpload,
  s3Client,
  staticKeys,
  type S3Client,
  type UploadPart,
} from "@kindling/object-store/s3";
import type { Copy } from "../../plan/uploads.ts";
import type { UploadOutside } from "../upload-outside.ts";
import { s3Settings } from "./s3-settings.ts";
import { uploadError } from "./upload-error.ts";

const MIB = 1024 * 1024;
/** S3 accepts at most 10,000 parts; parts are larger only if a file would need more. */
const PART_BYTES = 16 * MIB;
const PARTS_IN_MEMORY = 4;

/**
 * Uploads files to their `s3a://bucket/key`: each in one request, or in parts if it is larger than 16 MiB. At most four parts
 * are in memory. It is an error if a file changes while it is read, or if the store refuses something. A failed upload in
 * parts is aborted, so that the bucket keeps nothing of it.
 *
 * @throws KindlingError `UPLOAD_FAILED`, `CONF_MISSING` if there are no credentials, or an error of {@link s3Settings}
 */
export async function uploadToS3(
  files: AsyncIterable<Copy>,
  conf: SparkConf,
  outside: UploadOutside,
  signal: AbortSignal | undefined,
): Promise<void> {
  const transport = httpTransport({
    clock: outside.clock,
    tls: {},
    proxies: environmentProxies(outside.env),
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
  const clients = new Map<string, S3Client>();
  try {
    for await (const { source, destination } of files) {
      const { bucket, key } = location(destination);
      const client = clients.get(bucket) ?? clientOf(bucket, conf, outside, transport);
      clients.set(bucket, client);
      await uploadFile(client, key, source, signal);
    }
  } catch (error) {
    throw uploadError(error);
  } finally {
    transport.close();
  }
}

function location(uri: string): { readonly bucket: string; readonly key: string } {
  const [, bucket, key] = /^s3[an]?:\/\/([^/]+)\/+(.+)$/.exec(uri) ?? [];
  if (bucket === undefined || key === undefined) {
    throw new KindlingError("CONF_INVALID", `${uri} names no bucket`, {
      hint: "write s3a://BUCKET/PREFIX in spark.kubernetes.file.upload.path",
    });
  }
  return { bucket, key: key.replaceAll(/\/{2,}/g, "/") };
}

function clientOf(name: string, conf: SparkConf, outside: UploadOutside, transport: HttpTransport): S3Client {
  const { clock, random, env } = outside;
  const { bucket, keys } = s3Settings(name, conf, env);
  const sources = [
    staticKeys("spark.hadoop.fs.s3a.access.key", keys),
    ...awsSources({ region: bucket.region, sessionName: "kindling-submit", instance: true }),
  ];
  const context = { clock, env, transport, readFile: readIfThere };
  return s3Client({
    bucket,
    credentials: credentialsChain(
      sources,
      context,
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or spark.hadoop.fs.s3a.access.key and " +
        "spark.hadoop.fs.s3a.secret.key in a properties file",
    ),
    connection: { clock, random, transport },
  });
}

async function uploadFile(
  client: S3Client,
  key: string,
  source: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await open(source, "r");
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) {
      await client.send({ method: "PUT", key, body: await read(file, 0, size, source), signal });
      return;
    }
    await uploadParts(client, key, { file, size, source }, signal);
  } finally {
    await file.close();
  }
}

async function uploadParts(
  client: S3Client,
  key: string,
  { file, size, source }: { readonly file: FileHandle; readonly size: number; readonly source: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const partSize = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS / MIB) * MIB);
  // An account that may upload may not be allowed to read.
  const upload = multipartUpload({ client, key, partSize, atOnce: PARTS_IN_MEMORY, mayRead: false, signal });
  try {
    for (let start = 0; start < size; start += partSize) {
      await upload.add(partOf(await read(file, start, Math.min(partSize, size - start), source)));
    }
    await upload.complete();
  } catch (error) {
    // A part that is still arriving can keep a store from aborting at once. Whatever the store answers, the original error is
    // reported.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

function partOf(bytes: Buffer): UploadPart {
  return { body: () => bodyOf(bytes), close: () => Promise.resolve() };
}

async function read(file: FileHandle, start: number, length: number, source: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) {
      throw new KindlingError("UPLOAD_FAILED", `${source} became shorter while it was read`);
    }
    filled += bytesRead;
  }
  return bytes;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new KindlingError("FILE_UNREADABLE", `${path} cannot be read`, { cause: error });
  }
}
