import type { ObjectBody, ObjectBucket, NewObject } from "../object-bucket.ts";
import { ifPresent } from "../object-store-error.ts";
import { partsUpload } from "../parts-upload.ts";
import { listFolders, listObjects, listUploads } from "./list-objects.ts";
import { partsTarget } from "./multipart-upload.ts";
import type { S3Client } from "./s3-client.ts";
import type { S3Body } from "./s3-request.ts";

const META = "x-amz-meta-";

/** A bucket of S3. Versions are entity tags; conditional writes are `If-None-Match: *` and `If-Match`. */
export function s3Bucket(client: S3Client): ObjectBucket {
  return {
    name: `the bucket ${client.bucket.name} at ${client.bucket.url.host}`,
    checksum: "sha256",
    async stat(key) {
      const { status, headers } = await client.send({ method: "HEAD", key, accept: [404] });
      return status === 404
        ? undefined
        : { size: Number(headers["content-length"] ?? "0"), metadata: metadataOf(headers, META) };
    },
    open: (key, range) => ifPresent(client.open(key, range)),
    async readText(key) {
      const { status, headers, text } = await client.send({ method: "GET", key, accept: [404] });
      return status === 404 ? undefined : { text, version: headers.etag ?? "" };
    },
    async put(key, object) {
      const { status, headers, attempts } = await client.send({
        method: "PUT",
        key,
        headers: headersOf(object),
        body: Buffer.isBuffer(object.body) ? object.body : s3Body(object.body),
        accept: refusedAs(object),
        signal: object.signal,
      });
      return { version: status < 300 ? (headers.etag ?? "") : undefined, attempts };
    },
    delete: (key) => client.delete(key),
    async *list(prefix) {
      for await (const { key, size, etag, modified } of listObjects(client, prefix)) {
        yield { key, size, version: etag, modified };
      }
    },
    folders: (prefix) => listFolders(client, prefix),
    multipart(options) {
      const target = partsTarget({ ...options, client });
      return partsUpload<ObjectBody>(
        { ...target, put: (id, number, body) => target.put(id, number, s3Body(body)) },
        options,
      );
    },
    async probe(prefix) {
      await client.send({ method: "GET", key: "", query: { "list-type": "2", "max-keys": "1", prefix } });
    },
    serverTime: () => client.serverTime(),
    async dropUploads(prefix, isStray) {
      for (const { key, uploadId, initiated } of await listUploads(client, prefix)) {
        if (!isStray(key, initiated)) continue;
        await client.send({ method: "DELETE", key, query: { uploadId }, accept: [404] });
      }
    },
    presign: (key, expiresInSeconds) => client.presign(key, expiresInSeconds),
  };
}

/** The answers to a condition that does not hold: for a version of an object that is gone, some servers give 404. */
function refusedAs({ expect }: NewObject): readonly number[] {
  if (expect === undefined) return [];
  return expect.version === undefined ? [412] : [404, 412];
}

function headersOf({ contentType, metadata = {}, expect }: NewObject): Record<string, string> {
  const condition = expect?.version === undefined ? { "if-none-match": "*" } : { "if-match": expect.version };
  const headers: Record<string, string | undefined> = {
    "content-type": contentType,
    ...(expect !== undefined && condition),
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [META + name, value])),
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function s3Body(body: ObjectBody): S3Body {
  return { length: body.length, sha256: body.hash, open: () => body.open() };
}

/** The user's own metadata, without the prefix of their fields. */
function metadataOf(headers: Readonly<Record<string, unknown>>, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter((entry): entry is [string, string] => entry[0].startsWith(prefix) && typeof entry[1] === "string")
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}
