import type { S3Answer } from "@kindling/object-store/s3";
import { StoreError } from "../../errors/store-error.ts";
import { parseDocument, type DamagedVersions } from "../damaged-versions.ts";
import type { StoredDocument, Version } from "../document-store.ts";
import type { S3Keys } from "./s3-keys.ts";
import type { S3Objects } from "./s3-objects.ts";

export const DOCUMENT_SUFFIX = ".json";

/** Documents as objects whose versions are entity tags. */
export interface DocumentObjects {
  readonly client: S3Objects;
  readonly keys: S3Keys;
  readonly damaged: DamagedVersions;
}

export function keyOf({ keys }: DocumentObjects, collection: string, name: string): string {
  return `${keys.meta}${collection}/${name}${DOCUMENT_SUFFIX}`;
}

export async function readObject(
  { client }: DocumentObjects,
  key: string,
): Promise<{ readonly text: string; readonly version: Version } | undefined> {
  const { status, headers, text } = await client.send({ method: "GET", key, accept: [404] });
  return status === 404 ? undefined : { text, version: headers.etag ?? "" };
}

export async function getDocument(
  objects: DocumentObjects,
  collection: string,
  name: string,
): Promise<StoredDocument | undefined> {
  const { damaged } = objects;
  const found = await readObject(objects, keyOf(objects, collection, name));
  if (found === undefined || damaged.includes(collection, name, found.version)) return undefined;
  const parsed = parseDocument(found.text);
  if (parsed !== undefined) return { value: parsed.value, version: found.version };
  damaged.note(collection, name, found.version, "it is no JSON");
  return undefined;
}

/** @param expect the version that it must have now; `undefined`: it must not exist */
export async function putDocument(
  objects: DocumentObjects,
  collection: string,
  name: string,
  value: unknown,
  expect: Version | undefined,
): Promise<Version> {
  const bytes = Buffer.from(JSON.stringify(value));
  const condition = expect === undefined ? { "if-none-match": "*" } : { "if-match": expect };
  let answer = await write(objects, keyOf(objects, collection, name), bytes, condition);
  if (answer.status === 412 && expect === undefined) {
    answer = (await replaceDamaged(objects, collection, name, bytes)) ?? answer;
  }
  if (answer.status < 300) {
    objects.damaged.forget(collection, name);
    return answer.headers.etag ?? "";
  }
  // An attempt whose answer was lost may have changed the document.
  const now = answer.attempts > 1 ? await getDocument(objects, collection, name) : undefined;
  if (now !== undefined && JSON.stringify(now.value) === bytes.toString()) return now.version;
  throw new StoreError("conflict", `${collection}/${name} was changed by another writer`);
}

async function write(
  { client }: DocumentObjects,
  key: string,
  bytes: Buffer,
  condition: Record<string, string>,
): Promise<S3Answer> {
  return await client.send({
    method: "PUT",
    key,
    headers: { "content-type": "application/json", ...condition },
    body: bytes,
    accept: [404, 412],
  });
}

/** Puts a document in place of a damaged one, and keeps a copy of the damaged one. */
async function replaceDamaged(
  objects: DocumentObjects,
  collection: string,
  name: string,
  bytes: Buffer,
): Promise<S3Answer | undefined> {
  const { keys, damaged } = objects;
  const found = await readObject(objects, keyOf(objects, collection, name));
  if (found === undefined || !damaged.includes(collection, name, found.version)) return undefined;
  const copy = `${keys.damaged}${collection}/${name}.${found.version.replaceAll(/\W/g, "")}`;
  await write(objects, copy, Buffer.from(found.text), {});
  return await write(objects, keyOf(objects, collection, name), bytes, { "if-match": found.version });
}
