import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { begin, refuse, type FakeBucket, type FakeUpload } from "./bucket.ts";

/** `CreateMultipartUpload` */
export function createUpload(bucket: FakeBucket, key: string, response: ServerResponse): void {
  const id = randomUUID();
  bucket.uploads.set(id, { key, parts: new Map(), initiated: Date.now() });
  begin(bucket, response, 200).end(`<R><UploadId>${id}</UploadId></R>`);
}

/** `ListMultipartUploads` */
export function listUploads(bucket: FakeBucket, response: ServerResponse): void {
  const listed = [...bucket.uploads].map(
    ([id, { key, initiated }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(initiated).toISOString()}</Initiated></Upload>`,
  );
  begin(bucket, response, 200).end(`<R><IsTruncated>false</IsTruncated>${listed.join("")}</R>`);
}

/** `AbortMultipartUpload`, `UploadPart` or `CompleteMultipartUpload` */
export function continueUpload(
  bucket: FakeBucket,
  method: string | undefined,
  query: URLSearchParams,
  bytes: Buffer,
  response: ServerResponse,
): void {
  const id = query.get("uploadId") ?? "";
  const upload = bucket.uploads.get(id);
  if (upload === undefined) return refuse(bucket, response, 404, "NoSuchUpload");
  if (method === "DELETE") {
    bucket.uploads.delete(id);
    begin(bucket, response, 204).end();
  } else if (method === "PUT") {
    const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
    upload.parts.set(Number(query.get("partNumber")), { bytes, etag });
    begin(bucket, response, 200, { etag }).end();
  } else complete(bucket, id, upload, bytes, response);
}

function complete(bucket: FakeBucket, id: string, upload: FakeUpload, bytes: Buffer, response: ServerResponse): void {
  const named = [...bytes.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
  const parts = named.map(([, number, etag]) => ({
    part: upload.parts.get(Number(number)),
    etag: (etag ?? "").replaceAll("&quot;", '"'),
  }));
  if (parts.some(({ part, etag }) => part?.etag !== etag)) return refuse(bucket, response, 400, "InvalidPart");
  const all = Buffer.concat(parts.map(({ part }) => part?.bytes ?? Buffer.alloc(0)));
  bucket.objects.set(upload.key, {
    bytes: all,
    etag: `"${randomUUID()}-${parts.length}"`,
    meta: {},
    modified: Date.now(),
  });
  bucket.uploads.delete(id);
  begin(bucket, response, 200).end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
}
