import { membersOf, recordOf } from "../credentials/bearer-token.ts";
import type { NewObject, ObjectBucket } from "../object-bucket.ts";
import { ifPresent, ObjectStoreError } from "../object-store-error.ts";
import { partsUpload } from "../parts-upload.ts";
import { ranged, rangeField } from "../ranged.ts";
import { gcsListing } from "./gcs-listing.ts";
import { gcsParts } from "./gcs-parts.ts";
import { gcsRequests, type GcsOptions } from "./gcs-request.ts";
import { md5Allowed, uploadOf } from "./gcs-upload.ts";

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
        ...(expect !== undefined && { ifGenerationMatch: expect.version ?? "0" }),
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
    async open(key, range) {
      const [query, headers] = [{ alt: "media" }, rangeField(range)];
      const response = await ifPresent(requests.open({ method: "GET", path: pathOf(key), key, query, headers }));
      return response && ranged(response, key, range);
    },
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
    multipart: (parts) =>
      partsUpload(gcsParts({ ...parts, put, remove, compose, newId: () => connection.random.uuid() }), parts),
    ...gcsListing(requests, bucketPath),
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

function generationOf(object: Members): string {
  const { generation } = object;
  if (typeof generation === "string") return generation;
  throw new ObjectStoreError("protocol", "the store took an object without a generation", {
    hint: "is this the address of Google Cloud Storage?",
  });
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
