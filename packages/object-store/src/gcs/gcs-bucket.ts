import { createHash, getFips } from "node:crypto";
import { Readable } from "node:stream";
import type { RequestBody } from "@kindling/http";
import { membersOf, recordOf } from "../credentials/bearer-token.ts";
import type { BucketObject, NewObject, ObjectBucket } from "../object-bucket.ts";
import { ifPresent, ObjectStoreError } from "../object-store-error.ts";
import { partsUpload } from "../parts-upload.ts";
import { gcsParts } from "./gcs-parts.ts";
import { gcsRequests, type GcsOptions, type GcsRequest } from "./gcs-request.ts";

type Members = Readonly<Record<string, unknown>>;

/** Where Google Cloud Storage is. */
export const GOOGLE_ENDPOINT = "https://storage.googleapis.com";

const STATUS_FIELDS = "name,size,generation,updated,metadata";
const NOTHING_WRITTEN = 412;

/**
 * A bucket of Google Cloud Storage, by its JSON API. Versions are generations; conditional writes are `ifGenerationMatch`
 * ("Request preconditions").
 */
export function gcsBucket(options: GcsOptions): ObjectBucket {
  const { bucket, endpoint, connection } = options;
  const requests = gcsRequests(options);
  const bucketPath = `storage/v1/b/${encodeURIComponent(bucket)}/o`;
  const pathOf = (key: string): string => `${bucketPath}/${encodeURIComponent(key)}`;

  async function* pages(query: Readonly<Record<string, string>>): AsyncGenerator<Members, void> {
    let pageToken: unknown = "";
    do {
      const more = typeof pageToken === "string" && pageToken !== "" ? { pageToken } : {};
      const { text } = await requests.send({ method: "GET", path: bucketPath, key: "", query: { ...query, ...more } });
      const page = membersOf(text);
      yield page;
      pageToken = page["nextPageToken"];
    } while (typeof pageToken === "string" && pageToken !== "");
  }

  const put = async (key: string, object: NewObject): ReturnType<ObjectBucket["put"]> => {
    const { expect, signal } = object;
    const { status, text, attempts } = await requests.send({
      ...uploadOf(key, object, connection.random.uuid()),
      method: "POST",
      path: `upload/${bucketPath}`,
      key,
      query: {
        uploadType: "multipart",
        name: key,
        ...(expect !== undefined && { ifGenerationMatch: expect === "absent" ? "0" : expect }),
      },
      accept: [NOTHING_WRITTEN],
      signal,
    });
    return { version: status < 300 ? generationOf(membersOf(text)) : undefined, attempts };
  };

  const remove = async (key: string): Promise<void> => {
    await requests.send({ method: "DELETE", path: pathOf(key), key, accept: [404] });
  };

  return {
    name: `the bucket ${bucket} at ${endpoint.host}`,
    checksum: md5Allowed() ? "md5" : undefined,
    async stat(key) {
      const query = { fields: STATUS_FIELDS };
      const { status, text } = await requests.send({ method: "GET", path: pathOf(key), key, query, accept: [404] });
      if (status === 404) return undefined;
      const object = membersOf(text);
      return { size: Number(object["size"]), metadata: textsOf(object["metadata"]) };
    },
    open: (key, { start, end }) =>
      ifPresent(
        requests.open({
          method: "GET",
          path: pathOf(key),
          key,
          query: { alt: "media" },
          headers: { range: `bytes=${start}-${end - 1}` },
        }),
      ),
    async readText(key) {
      const query = { alt: "media" };
      const answer = await requests.send({ method: "GET", path: pathOf(key), key, query, accept: [404] });
      if (answer.status === 404) return undefined;
      const version = answer.headers["x-goog-generation"];
      if (typeof version === "string") return { text: answer.text, version };
      throw new ObjectStoreError("protocol", `${endpoint.host} gives ${key} without its generation`);
    },
    put,
    delete: remove,
    async *list(prefix) {
      const fields = `items(name,size,generation,updated),nextPageToken`;
      for await (const page of pages({ prefix, fields })) {
        for (const item of listOf(page["items"])) yield objectOf(recordOf(item));
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      for await (const page of pages({ prefix, delimiter: "/", fields: "prefixes,nextPageToken" })) {
        for (const each of listOf(page["prefixes"])) names.push(String(each).slice(prefix.length).replace(/\/$/, ""));
      }
      return names;
    },
    multipart: (parts) =>
      partsUpload(gcsParts({ ...parts, put, remove, compose, newId: () => connection.random.uuid() }), parts),
    async probe(prefix) {
      const query = { prefix, maxResults: "1", fields: "nextPageToken" };
      await requests.send({ method: "GET", path: bucketPath, key: "", query });
    },
    serverTime: () => requests.serverTime(),
  };

  async function compose(target: string, sources: readonly string[]): Promise<number> {
    const { text } = await requests.send({
      method: "POST",
      path: `${pathOf(target)}/compose`,
      key: target,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        sourceObjects: sources.map((name) => ({ name })),
        destination: { contentType: "application/octet-stream" },
      }),
    });
    return Number(membersOf(text)["size"]);
  }
}

/** An object with its metadata in one request ("Upload object data in a single request", multipart upload). */
function uploadOf(key: string, { body, contentType, metadata }: NewObject, id: string): Pick<GcsRequest, "headers" | "body"> {
  const type = contentType ?? "application/octet-stream";
  const boundary = `kindling-${id}`;
  const md5 = md5Of(body);
  const resource = { name: key, contentType: type, metadata, md5Hash: md5 };
  const head = Buffer.from(
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(resource)}\r\n` +
      `--${boundary}\r\ncontent-type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { "content-type": `multipart/related; boundary=${boundary}` },
    body: Buffer.isBuffer(body) ? Buffer.concat([head, body, tail]) : between(head, body, tail),
  };
}

function between(head: Buffer, body: RequestBody & { readonly length: number }, tail: Buffer): RequestBody {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield head;
    for await (const chunk of body.open() as AsyncIterable<Buffer>) yield chunk;
    yield tail;
  }
  const length = head.length + body.length + tail.length;
  return { length, open: () => Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 }) };
}

/** Base64: the server refuses other bytes. `undefined` where OpenSSL's FIPS provider has no MD5. */
function md5Of(body: NewObject["body"]): string | undefined {
  if (!Buffer.isBuffer(body)) return body.hash === "" ? undefined : Buffer.from(body.hash, "hex").toString("base64");
  return md5Allowed() ? createHash("md5").update(body).digest("base64") : undefined;
}

function md5Allowed(): boolean {
  return getFips() !== 1;
}

function generationOf(object: Members): string {
  const { generation } = object;
  if (typeof generation === "string") return generation;
  throw new ObjectStoreError("protocol", "the store took an object without a generation", {
    hint: "is this the address of Google Cloud Storage?",
  });
}

function objectOf(item: Members): BucketObject {
  const { name, size, generation, updated } = item;
  return {
    key: String(name),
    size: Number(size),
    version: String(generation),
    modified: Date.parse(String(updated)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
