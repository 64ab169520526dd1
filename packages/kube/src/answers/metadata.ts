import type { ObjectMetaLike } from "@kindling/kube-objects";
import { isFields, type Fields } from "../fields.ts";
import { Malformed } from "./malformed.ts";

const TEXTS = ["name", "generateName", "namespace", "uid", "resourceVersion"] as const;
const MAPS = ["labels", "annotations"] as const;
const REFERENCE_TEXTS = ["apiVersion", "kind", "name", "uid"] as const;

/** No API server returns longer ones, and they are sent back to it in URLs. Also for continue tokens. */
const LONGEST_VERSION = 8 * 1024;

/** `metadata` of an object, with the members that {@link ObjectMetaLike} declares checked; throws {@link Malformed}. */
export function parseMetadata(object: Fields): ObjectMetaLike {
  const metadata = metadataOf(object);
  for (const key of TEXTS) {
    const value = metadata[key];
    if (value !== undefined && typeof value !== "string")
      throw new Malformed(`metadata.${key} of an object is no text`);
  }
  versionIn(metadata);
  for (const key of MAPS) {
    const map = metadata[key] ?? {};
    if (!isFields(map)) throw new Malformed(`metadata.${key} of an object is no map`);
    for (const name of Object.keys(map)) {
      if (typeof map[name] !== "string")
        throw new Malformed(`metadata.${key} of an object contains a value that is not text`);
    }
  }
  if (!isReferenceList(metadata["ownerReferences"] ?? [])) {
    throw new Malformed("metadata.ownerReferences of an object is no list of references");
  }
  return metadata;
}

/** `metadata` of an object or a list; throws {@link Malformed} where there is none. */
export function metadataOf(object: Fields): Fields {
  const { metadata } = object;
  if (!isFields(metadata)) throw new Malformed("an object has no metadata");
  // Go reads null as absent, so servers may write null.
  for (const key of Object.keys(metadata)) {
    if (metadata[key] === null) delete (metadata as Record<string, unknown>)[key];
  }
  return metadata;
}

/** `metadata.resourceVersion`; undefined where it is absent or empty. */
export function versionIn(metadata: Fields): string | undefined {
  return shortText(metadata, "resourceVersion");
}

/** A text that goes back to the server; undefined where it is absent or empty. */
export function shortText(metadata: Fields, key: "resourceVersion" | "continue"): string | undefined {
  const value = metadata[key];
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw new Malformed(`metadata.${key} is no text`);
  if (value.length > LONGEST_VERSION)
    throw new Malformed(`metadata.${key} is longer than ${LONGEST_VERSION} characters`);
  return value;
}

function isReferenceList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => isFields(one) && REFERENCE_TEXTS.every((key) => typeof one[key] === "string"))
  );
}
