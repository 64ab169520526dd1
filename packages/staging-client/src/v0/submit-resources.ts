import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { RequestBody } from "@kindling/http";
import { StagingError } from "../errors.ts";
import { V0_OWNER_PART, V0_RESOURCES_PART, v0Paths, type V0Owner, type V0Submitted } from "../protocol/v0.ts";
import { retryContext, type StagingConnection } from "../staging-client.ts";
import { isV0Submitted } from "../protocol/answer-shapes.ts";
import { readJson } from "../transport/read-body.ts";
import { retrying } from "../transport/retry.ts";

export interface SubmitResourcesOptions {
  /** The bundle, a tar.gz of flat regular files. */
  readonly resources: RequestBody;
  readonly owner: V0Owner;
  readonly signal?: AbortSignal;
}

/**
 * Uploads a bundle in the old fork's protocol, exactly as its client does (Retrofit 2.2): the file first and without a
 * file name, then the owner; both parts with a transfer encoding, the file labelled `multipart/form-data`.
 */
export async function submitResources(
  connection: StagingConnection,
  options: SubmitResourcesOptions,
): Promise<V0Submitted> {
  const url = new URL(v0Paths.resources, connection.uri);
  const boundary = `kindling-${randomBytes(16).toString("hex")}`;
  return await retrying(retryContext(connection, options.signal), async () => {
    const response = await connection.caller.send({
      method: "POST",
      url,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}`, accept: "application/json" },
      body: multipart(options, boundary),
      ...(options.signal !== undefined && { signal: options.signal }),
    });
    const { transport, caller } = connection;
    const answer = await readJson(response, transport, caller.hideWhole);
    if (!isV0Submitted(answer)) {
      throw new StagingError("protocol", `${url.origin}: the answer to an upload has no resourceId and resourceSecret`);
    }
    return { resourceId: answer.resourceId, resourceSecret: answer.resourceSecret };
  });
}

function multipart({ resources, owner }: SubmitResourcesOptions, boundary: string): RequestBody {
  const ownerJson = JSON.stringify(owner);
  const part = (name: string, type: string, length: number | undefined): string =>
    [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"`,
      "Content-Transfer-Encoding: binary",
      `Content-Type: ${type}`,
      ...(length === undefined ? [] : [`Content-Length: ${length}`]),
      "",
      "",
    ].join("\r\n");
  const head = part(V0_RESOURCES_PART, "multipart/form-data", resources.length);
  const middle = `\r\n${part(V0_OWNER_PART, "application/json", Buffer.byteLength(ownerJson))}`;
  const tail = `${ownerJson}\r\n--${boundary}--\r\n`;
  const frame = Buffer.byteLength(head + middle + tail);
  return {
    length: resources.length === undefined ? undefined : resources.length + frame,
    open: () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(head);
          yield* resources.open() as AsyncIterable<Buffer>;
          yield Buffer.from(middle + tail);
        })(),
        { objectMode: false },
      ),
  };
}
