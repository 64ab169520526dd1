import type { S3Client } from "./s3-client.ts";
import { elements, textOf } from "../xml.ts";

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly modified: number;
}

/** All objects below a prefix (ListObjectsV2), page after page. */
export async function* listObjects(client: Pick<S3Client, "send">, prefix: string): AsyncGenerator<ListedObject, void> {
  for await (const xml of pages(client, { prefix })) {
    for (const content of elements(xml, "Contents")) {
      const key = textOf(content, "Key");
      if (key === undefined) continue;
      yield {
        key,
        size: Number(textOf(content, "Size") ?? "0"),
        etag: textOf(content, "ETag") ?? "",
        modified: Date.parse(textOf(content, "LastModified") ?? ""),
      };
    }
  }
}

/** The names directly below a prefix that have something below them. */
export async function listFolders(client: Pick<S3Client, "send">, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const xml of pages(client, { prefix, delimiter: "/" })) {
    for (const common of elements(xml, "CommonPrefixes")) {
      names.push((textOf(common, "Prefix") ?? "").slice(prefix.length).replace(/\/$/, ""));
    }
  }
  return names;
}

async function* pages(
  client: Pick<S3Client, "send">,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<string, void> {
  let token: string | undefined;
  do {
    const { text } = await client.send({
      method: "GET",
      key: "",
      query: { "list-type": "2", ...query, ...(token !== undefined && { "continuation-token": token }) },
    });
    yield text;
    token = textOf(text, "IsTruncated") === "true" ? textOf(text, "NextContinuationToken") : undefined;
  } while (token !== undefined);
}

export interface ListedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: number;
}

/** Multipart uploads below a prefix that are not finished. */
export async function listUploads(client: Pick<S3Client, "send">, prefix: string): Promise<ListedUpload[]> {
  const uploads: ListedUpload[] = [];
  let marker: Record<string, string> | undefined = {};
  while (marker !== undefined) {
    const { text } = await client.send({ method: "GET", key: "", query: { uploads: "", prefix, ...marker } });
    for (const upload of elements(text, "Upload")) {
      const [key, uploadId] = [textOf(upload, "Key"), textOf(upload, "UploadId")];
      const initiated = Date.parse(textOf(upload, "Initiated") ?? "");
      if (key !== undefined && uploadId !== undefined) uploads.push({ key, uploadId, initiated });
    }
    const next = {
      "key-marker": textOf(text, "NextKeyMarker"),
      "upload-id-marker": textOf(text, "NextUploadIdMarker"),
    };
    const more = textOf(text, "IsTruncated") === "true" && next["key-marker"] !== undefined;
    marker = more
      ? { "key-marker": next["key-marker"] ?? "", "upload-id-marker": next["upload-id-marker"] ?? "" }
      : undefined;
  }
  return uploads;
}
