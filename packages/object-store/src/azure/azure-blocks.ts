import { createHash, getFips } from "node:crypto";
import type { NewObject, ObjectBody } from "../object-bucket.ts";
import type { PartsTarget } from "../parts-upload.ts";
import type { AzureRequests } from "./azure-request.ts";

/** A blob in blocks ("Put Block", "Put Block List"). The service drops blocks that were not used within a week. */
export function azureBlocks(
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

/** The service refuses other bytes. Without the field where OpenSSL's FIPS provider has no MD5. */
export function md5Field(body: NewObject["body"]): Record<string, string> {
  if (!Buffer.isBuffer(body)) {
    return body.hash === "" ? {} : { "content-md5": Buffer.from(body.hash, "hex").toString("base64") };
  }
  return getFips() === 1 ? {} : { "content-md5": createHash("md5").update(body).digest("base64") };
}
