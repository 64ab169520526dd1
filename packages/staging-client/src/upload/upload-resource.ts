import type { HttpResponse } from "@kindling/http";
import {
  formatBoolean,
  formatDigestField,
  parseBoolean,
  parseIntegerDictionary,
  parseSize,
} from "../protocol/structured-fields.ts";
import {
  PARTIAL_UPLOAD_MEDIA_TYPE,
  REPR_DIGEST_FIELD,
  UPLOAD_COMPLETE_FIELD,
  UPLOAD_LENGTH_FIELD,
  UPLOAD_LIMIT_FIELD,
  UPLOAD_OFFSET_FIELD,
} from "../protocol/upload-fields.ts";
import { v1Paths } from "../protocol/v1-paths.ts";
import type { StagingConnection } from "../staging-client.ts";
import { malformedAnswer, sendBlobRequest, type BlobUpload } from "./blob-request.ts";
import type { SendableFile } from "./local-file.ts";

/** An upload resource of the server (draft-ietf-httpbis-resumable-upload, section 4), and how far it is. */
export interface UploadResource {
  readonly path: string;
  offset: number;
  complete: boolean;
  /** Most bytes of one append. */
  appendLimit: number;
}

/** Careful creation: an empty request first, so that no byte is sent to a server that would refuse them. */
export async function createResource(connection: StagingConnection, upload: BlobUpload): Promise<UploadResource> {
  const { digest, size } = upload.file;
  const path = v1Paths.uploads(upload.lease);
  const response = await sendBlobRequest(connection, upload, {
    method: "POST",
    path,
    headers: {
      [UPLOAD_COMPLETE_FIELD]: formatBoolean(false),
      [UPLOAD_LENGTH_FIELD]: String(size),
      [REPR_DIGEST_FIELD]: formatDigestField(digest),
    },
  });
  const { location } = response.headers;
  const complete = parseBoolean(field(response, UPLOAD_COMPLETE_FIELD)) === true;
  if (location === undefined && !complete) throw malformedAnswer(connection, "the new upload has no Location");
  return {
    path: location === undefined ? path : pathOf(connection, location),
    // Not 0 if the server has kept the bytes of an earlier attempt.
    offset: complete ? size : (parseSize(field(response, UPLOAD_OFFSET_FIELD)) ?? 0),
    complete,
    appendLimit: parseIntegerDictionary(field(response, UPLOAD_LIMIT_FIELD)).get("max-append-size") ?? Infinity,
  };
}

/** Asks the server for its offset. */
export async function refreshResource(
  connection: StagingConnection,
  upload: BlobUpload,
  resource: UploadResource,
): Promise<void> {
  const response = await sendBlobRequest(connection, upload, { method: "HEAD", path: resource.path, headers: {} });
  const offset = parseSize(field(response, UPLOAD_OFFSET_FIELD));
  if (offset === undefined) throw malformedAnswer(connection, "the upload has no Upload-Offset");
  resource.offset = offset;
  resource.complete = parseBoolean(field(response, UPLOAD_COMPLETE_FIELD)) === true;
}

/** Sends the rest of the file, or the part of it that one append may have. */
export async function appendToResource(
  connection: StagingConnection,
  upload: BlobUpload,
  file: SendableFile,
  resource: UploadResource,
  onSent: (bytes: number) => void,
): Promise<void> {
  const { offset } = resource;
  const length = Math.min(upload.file.size - offset, resource.appendLimit);
  const last = offset + length === upload.file.size;
  await sendBlobRequest(connection, upload, {
    method: "PATCH",
    path: resource.path,
    headers: {
      "content-type": PARTIAL_UPLOAD_MEDIA_TYPE,
      [UPLOAD_OFFSET_FIELD]: String(offset),
      [UPLOAD_COMPLETE_FIELD]: formatBoolean(last),
    },
    body: length === 0 ? Buffer.alloc(0) : { length, open: () => file.read(offset, length) },
    onSent,
  });
  resource.offset = offset + length;
  resource.complete = last;
}

/**
 * The path of a new upload, relative to the base URI. Behind a proxy that ends TLS or maps ports the server cannot know
 * its own origin; and every request has credentials, so no other origin is ever used.
 */
function pathOf(connection: StagingConnection, location: string): string {
  if (URL.canParse(location, connection.uri.href)) {
    const { pathname, search } = new URL(location, connection.uri);
    const api = pathname.indexOf("/api/v1/uploads/");
    if (api !== -1) return `${pathname.slice(api + 1)}${search}`;
  }
  throw malformedAnswer(connection, "the new upload's Location is no upload of this protocol");
}

function field(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === "string" ? value : undefined;
}
