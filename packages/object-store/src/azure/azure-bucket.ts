import { createHash, getFips } from "node:crypto";
import type { BucketObject, NewObject, ObjectBody, ObjectBucket } from "../object-bucket.ts";
import { ifPresent, isObjectStoreError, ObjectStoreError } from "../object-store-error.ts";
import { partsUpload, type PartsTarget } from "../parts-upload.ts";
import { elements, textOf } from "../xml.ts";
import { azureRequests, errorCode, type AzureOptions, type AzureRequests } from "./azure-request.ts";

const META = "x-ms-meta-";
const CONFLICTS = [409, 412];

/**
 * A container of Azure Data Lake Storage Gen2 or Blob Storage, by the Blob service's REST API, which works with and without a
 * hierarchical namespace. Versions are entity tags; conditional writes are `If-None-Match: *` and `If-Match` ("Specifying
 * conditional headers for Blob service operations").
 */
export function azureBucket(options: AzureOptions): ObjectBucket {
  const { container, endpoint, connection } = options;
  const requests = azureRequests(options);
  const listing = { restype: "container", comp: "list" };

  async function* pages(query: Readonly<Record<string, string>>): AsyncGenerator<string, void> {
    let marker = "";
    do {
      const more = marker === "" ? {} : { marker };
      const { text } = await requests.send({ method: "GET", key: "", query: { ...listing, ...query, ...more } });
      yield text;
      marker = textOf(text, "NextMarker") ?? "";
    } while (marker !== "");
  }

  const stat: ObjectBucket["stat"] = async (key) => {
    const { status, headers } = await requests.send({ method: "HEAD", key, accept: [404] });
    return status === 404
      ? undefined
      : { size: Number(headers["content-length"] ?? "0"), metadata: metadataOf(headers) };
  };

  const remove = async (key: string): Promise<void> => {
    await requests.send({ method: "DELETE", key, accept: [404] });
  };

  return {
    name: `the container ${container} at ${endpoint.host}`,
    checksum: getFips() === 1 ? undefined : "md5",
    stat,
    open: (key, { start, end }) =>
      ifPresent(requests.open({ method: "GET", key, headers: { range: `bytes=${start}-${end - 1}` } })),
    async readText(key) {
      const { status, headers, text } = await requests.send({ method: "GET", key, accept: [404] });
      return status === 404 ? undefined : { text, version: versionOf(headers.etag) };
    },
    async put(key, object) {
      const { status, headers, text, attempts } = await requests.send({
        method: "PUT",
        key,
        headers: { "x-ms-blob-type": "BlockBlob", ...headersOf(object) },
        body: object.body,
        accept: object.expect === undefined ? [] : CONFLICTS,
        signal: object.signal,
      });
      if (status < 300) return { version: versionOf(headers.etag), attempts };
      const code = errorCode(headers) ?? textOf(text, "Code");
      // "BlobAlreadyExists" is the answer to If-None-Match: *; other conflicts are not about the object's version.
      if (status === 412 || code === "BlobAlreadyExists") return { version: undefined, attempts };
      throw new ObjectStoreError("rejected", `${endpoint.host} refused PUT ${key}: ${code ?? "HTTP status 409"}`, {
        status,
        code,
      });
    },
    delete: remove,
    async *list(prefix) {
      for await (const xml of pages({ prefix })) {
        for (const blob of elements(xml, "Blob")) {
          const object = objectOf(blob);
          if (object !== undefined) yield object;
        }
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      for await (const xml of pages({ prefix, delimiter: "/" })) {
        for (const folder of elements(xml, "BlobPrefix")) {
          names.push((textOf(folder, "Name") ?? "").slice(prefix.length).replace(/\/$/, ""));
        }
      }
      return names;
    },
    multipart(parts) {
      const target = blocks(requests, parts, () => connection.random.uuid());
      const assemble: typeof target.assemble = async (id, names, bytes) => {
        await target.assemble(id, names, bytes);
        if (parts.mayRead && (await stat(parts.key))?.size !== bytes) {
          throw new ObjectStoreError("server", "the store assembled another object than the one that was uploaded");
        }
      };
      return partsUpload({ ...target, assemble }, parts);
    },
    async probe(prefix) {
      await requests.send({ method: "GET", key: "", query: { ...listing, prefix, maxresults: "1" } });
    },
    serverTime: () => requests.serverTime(),
    // With a hierarchical namespace, a directory stays when its last blob is deleted; Delete Blob refuses one that is not
    // empty. Without one, there is no such blob.
    async dropFolder(path) {
      await remove(path.replace(/\/$/, "")).catch((error: unknown) => {
        if (!isObjectStoreError(error) || error.status !== 409) throw error;
      });
    },
  };
}

/** A blob in blocks ("Put Block", "Put Block List"). The service drops blocks that were not used within a week. */
function blocks(
  requests: AzureRequests,
  { key, signal }: { readonly key: string; readonly signal?: AbortSignal | undefined },
  newId: () => string,
): PartsTarget<ObjectBody> {
  const commit = async (ids: readonly string[]): Promise<void> => {
    const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
    const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`);
    const headers = { "content-type": "application/xml", "x-ms-blob-content-type": "application/octet-stream" };
    await requests.send({ method: "PUT", key, query: { comp: "blocklist" }, headers, body });
  };
  return {
    begin: () => Promise.resolve(newId()),
    async put(_uploadId, _number, body) {
      // All ids of a blob have one length, and no other upload uses the same.
      const id = Buffer.from(newId()).toString("base64");
      const query = { comp: "block", blockid: id };
      await requests.send({ method: "PUT", key, query, headers: md5Field(body), body, signal });
      return id;
    },
    assemble: (_uploadId, ids) => commit(ids),
    async drop() {
      // Only a blob can be deleted: an empty one takes the place of the blocks.
      await commit([]);
      await requests.send({ method: "DELETE", key, accept: [404] });
    },
  };
}

function headersOf({ body, contentType, metadata = {}, expect }: NewObject): Record<string, string> {
  return {
    "content-type": contentType ?? "application/octet-stream",
    ...md5Field(body),
    ...(expect === "absent" && { "if-none-match": "*" }),
    ...(expect !== undefined && expect !== "absent" && { "if-match": `"${expect}"` }),
    // Names of metadata are identifiers of C#, which have no dashes.
    ...Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [META + name.replaceAll("-", "_"), value]),
    ),
  };
}

/** The service refuses other bytes. Without the field where OpenSSL's FIPS provider has no MD5. */
function md5Field(body: NewObject["body"]): Record<string, string> {
  if (!Buffer.isBuffer(body)) {
    return body.hash === "" ? {} : { "content-md5": Buffer.from(body.hash, "hex").toString("base64") };
  }
  return getFips() === 1 ? {} : { "content-md5": createHash("md5").update(body).digest("base64") };
}

function metadataOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter((entry): entry is [string, string] => entry[0].startsWith(META) && typeof entry[1] === "string")
      .map(([name, value]) => [name.slice(META.length).replaceAll("_", "-"), value]),
  );
}

/** Listings have entity tags without quotes. */
function versionOf(etag: string | undefined): string {
  return (etag ?? "").replaceAll('"', "");
}

/** @returns `undefined` for a directory of a hierarchical namespace */
function objectOf(blob: string): BucketObject | undefined {
  if (textOf(blob, "ResourceType") === "directory") return undefined;
  return {
    key: textOf(blob, "Name") ?? "",
    size: Number(textOf(blob, "Content-Length") ?? "0"),
    version: versionOf(textOf(blob, "Etag")),
    modified: Date.parse(textOf(blob, "Last-Modified") ?? ""),
  };
}
