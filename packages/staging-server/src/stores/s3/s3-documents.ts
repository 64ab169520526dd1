import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { DocumentName, DocumentStore, StoredDocument } from "../../metadata/document-store.ts";
import { StoreError } from "../store-error.ts";
import type { S3Client } from "./s3-client.ts";
import type { S3Keys } from "./s3-keys.ts";
import { listFolders, listObjects } from "./s3-list.ts";

const SUFFIX = ".json";

/**
 * Documents as objects. Their versions are entity tags; conditional writes (`If-None-Match: *`, `If-Match`) make
 * compare-and-swap of them.
 */
export function s3Documents(client: S3Client, keys: S3Keys): DocumentStore {
  const keyOf = (collection: string, name: string): string => `${keys.meta}${collection}/${name}${SUFFIX}`;

  async function get(collection: string, name: string): Promise<StoredDocument | undefined> {
    const { status, headers, text } = await client.send({ method: "GET", key: keyOf(collection, name), accept: [404] });
    if (status === 404) return undefined;
    return { value: JSON.parse(text) as unknown, version: headers.etag ?? "" };
  }

  return {
    shared: true,
    get,
    async put(collection, name, value, { expect }) {
      const bytes = Buffer.from(JSON.stringify(value));
      const { status, headers, attempts } = await client.send({
        method: "PUT",
        key: keyOf(collection, name),
        headers: {
          "content-type": "application/json",
          ...(expect === undefined ? { "if-none-match": "*" } : { "if-match": expect }),
        },
        body: {
          length: bytes.length,
          sha256: createHash("sha256").update(bytes).digest("hex"),
          open: () => Readable.from([bytes]),
        },
        accept: [404, 412],
      });
      if (status < 300) return headers.etag ?? "";
      // An attempt whose answer was lost may have been the one that changed it.
      const now = attempts > 1 ? await get(collection, name) : undefined;
      if (now !== undefined && JSON.stringify(now.value) === bytes.toString()) return now.version;
      throw new StoreError("conflict", `${collection}/${name} was changed by somebody else`);
    },
    async delete(collection, name) {
      await client.send({ method: "DELETE", key: keyOf(collection, name), accept: [404] });
    },
    async list(collection, beginning = "") {
      const prefix = `${keys.meta}${collection}/`;
      const names: DocumentName[] = [];
      for await (const { key, etag } of listObjects(client, `${prefix}${beginning}`)) {
        const name = key.slice(prefix.length);
        // What is one level deeper belongs to another collection.
        if (!name.includes("/") && name.endsWith(SUFFIX))
          names.push({ name: name.slice(0, -SUFFIX.length), version: etag });
      }
      return names;
    },
    collections: (first) => listFolders(client, `${keys.meta}${first}/`),
  };
}
