import { listFolders, listObjects, type S3Answer } from "@kindling/object-store/s3";
import { StoreError } from "../../errors/store-error.ts";
import type { DamageListener } from "../damage.ts";
import { damagedVersions, parseDocument } from "../damaged-versions.ts";
import {
  isDocumentName,
  type DocumentName,
  type DocumentStore,
  type StoredDocument,
  type Version,
} from "../document-store.ts";
import type { S3Keys } from "./s3-keys.ts";
import type { S3Objects } from "./s3-objects.ts";

const SUFFIX = ".json";

/**
 * Documents as objects. Their versions are entity tags; conditional writes (`If-None-Match: *`, `If-Match`) make
 * compare-and-swap of them.
 */
export function s3Documents(
  client: S3Objects,
  keys: S3Keys,
  onDamage: DamageListener = () => undefined,
): DocumentStore {
  const keyOf = (collection: string, name: string): string => `${keys.meta}${collection}/${name}${SUFFIX}`;
  const damaged = damagedVersions(onDamage);

  async function read(key: string): Promise<{ readonly text: string; readonly version: Version } | undefined> {
    const { status, headers, text } = await client.send({ method: "GET", key, accept: [404] });
    return status === 404 ? undefined : { text, version: headers.etag ?? "" };
  }

  async function get(collection: string, name: string): Promise<StoredDocument | undefined> {
    const found = await read(keyOf(collection, name));
    if (found === undefined || damaged.includes(collection, name, found.version)) return undefined;
    const parsed = parseDocument(found.text);
    if (parsed !== undefined) return { value: parsed.value, version: found.version };
    damaged.note(collection, name, found.version, "it is no JSON");
    return undefined;
  }

  async function write(key: string, bytes: Buffer, condition: Record<string, string>): Promise<S3Answer> {
    return await client.send({
      method: "PUT",
      key,
      headers: { "content-type": "application/json", ...condition },
      body: bytes,
      accept: [404, 412],
    });
  }

  /** Puts a document in place of a damaged one, of which a copy is kept. */
  async function replaceDamaged(collection: string, name: string, bytes: Buffer): Promise<S3Answer | undefined> {
    const found = await read(keyOf(collection, name));
    if (found === undefined || !damaged.includes(collection, name, found.version)) return undefined;
    const copy = `${keys.damaged}${collection}/${name}.${found.version.replaceAll(/\W/g, "")}`;
    await write(copy, Buffer.from(found.text), {});
    return await write(keyOf(collection, name), bytes, { "if-match": found.version });
  }

  return {
    shared: true,
    get,
    async put(collection, name, value, { expect }) {
      const bytes = Buffer.from(JSON.stringify(value));
      const condition = expect === undefined ? { "if-none-match": "*" } : { "if-match": expect };
      let answer = await write(keyOf(collection, name), bytes, condition);
      if (answer.status === 412 && expect === undefined) {
        answer = (await replaceDamaged(collection, name, bytes)) ?? answer;
      }
      if (answer.status < 300) {
        damaged.forget(collection, name);
        return answer.headers.etag ?? "";
      }
      // An attempt whose answer was lost may have been the one that changed it.
      const now = answer.attempts > 1 ? await get(collection, name) : undefined;
      if (now !== undefined && JSON.stringify(now.value) === bytes.toString()) return now.version;
      throw new StoreError("conflict", `${collection}/${name} was changed by somebody else`);
    },
    async delete(collection, name) {
      await client.delete(keyOf(collection, name));
      damaged.forget(collection, name);
    },
    async list(collection, beginning = "") {
      const prefix = `${keys.meta}${collection}/`;
      const names: DocumentName[] = [];
      for await (const { key, etag } of listObjects(client, `${prefix}${beginning}`)) {
        if (!key.endsWith(SUFFIX)) continue;
        // What is one level deeper belongs to another collection, and what has another name is somebody else's.
        const name = key.slice(prefix.length, -SUFFIX.length);
        if (isDocumentName(name)) names.push({ name, version: etag });
      }
      return names;
    },
    collections: (first) => listFolders(client, `${keys.meta}${first}/`),
    setAside: (collection, name, version, reason) => {
      damaged.note(collection, name, version, reason);
      return Promise.resolve();
    },
    damaged: (collection) => Promise.resolve(damaged.names(collection)),
    // It lies where it was.
    remains: async (collection, name) => (await read(keyOf(collection, name)))?.text,
  };
}
