import type { HttpRequest, HttpResponse } from "@kindling/http";
import { StagingError } from "../errors.ts";
import { UPLOAD_DRAFT_FIELD, UPLOAD_DRAFT_INTEROP_VERSION } from "../protocol/upload-fields.ts";
import type { StagingConnection } from "../staging-client.ts";
import type { HashedFile } from "./local-file.ts";

export interface BlobUpload {
  readonly file: HashedFile;
  readonly lease: string;
  /** Files up to this size are sent in one request. */
  readonly oneShotBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Bytes that were sent; negative for bytes that were lost and are sent again. */
  readonly onSent: (bytes: number) => void;
}

export type BlobRequest = Pick<HttpRequest, "method" | "headers" | "body" | "onSent"> & { readonly path: string };

/**
 * One request of an upload, with the caller's credentials. The answer's body is not needed and is discarded.
 *
 * @throws StagingError also for an answer that is no success
 */
export async function sendBlobRequest(
  connection: StagingConnection,
  upload: BlobUpload,
  request: BlobRequest,
): Promise<HttpResponse> {
  const response = await connection.caller.send({
    method: request.method,
    url: new URL(request.path, connection.uri),
    headers: { ...request.headers, [UPLOAD_DRAFT_FIELD]: UPLOAD_DRAFT_INTEROP_VERSION },
    ...(request.body !== undefined && { body: request.body }),
    ...(request.onSent !== undefined && { onSent: request.onSent }),
    ...(upload.signal !== undefined && { signal: upload.signal }),
  });
  response.body.resume();
  return response;
}

export function malformedAnswer(connection: StagingConnection, what: string): StagingError {
  return new StagingError("protocol", `${connection.uri.origin}: ${what}`, {
    hint: "is this the address of a staging server?",
  });
}
