import { getFips } from "node:crypto";
import type { NewObject, ObjectBucket } from "../object-bucket.ts";
import { ifPresent, ObjectStoreError } from "../object-store-error.ts";
import { partsUpload } from "../parts-upload.ts";
import { ranged, rangeField } from "../ranged.ts";
import { textOf } from "../xml.ts";
import { azureBlocks, md5Field } from "./azure-blocks.ts";
import { folderRemover } from "./azure-folders.ts";
import { azureListing, versionOf } from "./azure-listing.ts";
import { azureRequests, errorCode, type AzureOptions } from "./azure-request.ts";

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
    async open(key, range) {
      const response = await ifPresent(requests.open({ method: "GET", key, headers: rangeField(range) }));
      return response && ranged(response, key, range);
    },
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
    multipart(parts) {
      const target = azureBlocks(requests, parts, () => connection.random.uuid());
      const assemble: typeof target.assemble = async (id, names, bytes) => {
        await target.assemble(id, names, bytes);
        if (parts.mayRead && (await stat(parts.key))?.size !== bytes) {
          throw new ObjectStoreError("server", "the store assembled another object than the one that was uploaded");
        }
      };
      return partsUpload({ ...target, assemble }, parts);
    },
    ...azureListing(requests),
    serverTime: () => requests.serverTime(),
    dropFolder: folderRemover(requests, options),
  };
}

function headersOf({ body, contentType, metadata = {}, expect }: NewObject): Record<string, string> {
  return {
    "content-type": contentType ?? "application/octet-stream",
    ...md5Field(body),
    ...(expect !== undefined &&
      (expect.version === undefined ? { "if-none-match": "*" } : { "if-match": `"${expect.version}"` })),
    // Names of metadata are identifiers of C#, which have no dashes.
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [META + name.replaceAll("-", "_"), value])),
  };
}

function metadataOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter((entry): entry is [string, string] => entry[0].startsWith(META) && typeof entry[1] === "string")
      .map(([name, value]) => [name.slice(META.length).replaceAll("_", "-"), value]),
  );
}
