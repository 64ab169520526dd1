import type { NewObject, PutAnswer } from "@kindling/object-store";
import { StoreError } from "../../errors/store-error.ts";
import { parseDocument, type DamagedVersions } from "../damaged-versions.ts";
import type { StoredDocument, Version } from "../document-store.ts";
import type { BucketKeys } from "./bucket-keys.ts";
import type { BucketObjects } from "./bucket-objects.ts";

export const DOCUMENT_SUFFIX = ".json";

/** Documents as objects, with the versions of the objects. */
export interface DocumentObjects {
  readonly bucket: BucketObjects;
  readonly keys: BucketKeys;
  readonly damaged: DamagedVersions;
}

export function keyOf({ keys }: DocumentObjects, collection: string, name: string): string {
  return `${keys.meta}${collection}/${name}${DOCUMENT_SUFFIX}`;
}

export async function getDocument(
  objects: DocumentObjects,
  collection: string,
  name: string,
): Promise<StoredDocument | undefined> {
  const { bucket, damaged } = objects;
  const found = await bucket.readText(keyOf(objects, collection, name));
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
  let answer = await write(objects, keyOf(objects, collection, name), bytes, { version: expect });
  if (answer.version === undefined && expect === undefined) {
    answer = (await replaceDamaged(objects, collection, name, bytes)) ?? answer;
  }
  if (answer.version !== undefined) {
    objects.damaged.forget(collection, name);
    return answer.version;
  }
  // An attempt whose answer was lost may have changed the document.
  const now = answer.attempts > 1 ? await getDocument(objects, collection, name) : undefined;
  if (now !== undefined && JSON.stringify(now.value) === bytes.toString()) return now.version;
  throw new StoreError("conflict", `${collection}/${name} was changed by another writer`);
}

async function write(
  { bucket }: DocumentObjects,
  key: string,
  bytes: Buffer,
  expect: NewObject["expect"],
): Promise<PutAnswer> {
  return await bucket.put(key, { body: bytes, contentType: "application/json", expect });
}

/** Puts a document in place of a damaged one, and keeps a copy of the damaged one. */
async function replaceDamaged(
  objects: DocumentObjects,
  collection: string,
  name: string,
  bytes: Buffer,
): Promise<PutAnswer | undefined> {
  const { bucket, keys, damaged } = objects;
  const found = await bucket.readText(keyOf(objects, collection, name));
  if (found === undefined || !damaged.includes(collection, name, found.version)) return undefined;
  const copy = `${keys.damaged}${collection}/${name}.${found.version.replaceAll(/\W/g, "")}`;
  await write(objects, copy, Buffer.from(found.text), undefined);
  return await write(objects, keyOf(objects, collection, name), bytes, found);
}
