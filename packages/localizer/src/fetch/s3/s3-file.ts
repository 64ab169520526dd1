import { AwsV4Signer } from "aws4fetch";
import type { HttpResponse } from "@kindling/http";
import {
  httpSource,
  readRefusal,
  StagingError,
  type DownloadSource,
  type StagingTransport,
} from "@kindling/staging-client";
import { refusalWords } from "../refusal-words.ts";
import type { KeySource } from "./aws-keys.ts";
import type { S3Location } from "./s3-location.ts";

// The SHA-256 of no bytes: a GET has no body.
const EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** An object of an S3-compatible store. */
export function s3File(
  uri: string,
  { url, region }: S3Location,
  transport: StagingTransport,
  keys: KeySource,
): DownloadSource {
  return httpSource({ url, transport: signing(transport, region, keys), description: uri });
}

/** Signs each request (AWS Signature Version 4), and puts the store's refusals into words. */
function signing(transport: StagingTransport, region: string, keys: KeySource): StagingTransport {
  return {
    ...transport,
    async send(request) {
      const { accessKeyId, secretAccessKey, sessionToken } = await keys(request.signal);
      const signer = new AwsV4Signer({
        method: request.method,
        url: request.url.href,
        headers: { "x-amz-content-sha256": EMPTY_DIGEST },
        service: "s3",
        region,
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
      });
      const { headers } = await signer.sign();
      const response = await transport.send({
        ...request,
        headers: { ...request.headers, ...Object.fromEntries(headers) },
      });
      if (response.status >= 300 && response.status !== 416)
        throw await refusal(response, transport, request.url, region);
      return response;
    },
  };
}

async function refusal(
  response: HttpResponse,
  transport: StagingTransport,
  url: URL,
  region: string,
): Promise<StagingError> {
  const { status, headers } = response;
  const text = await readRefusal(response, transport);
  const code = element(text, "Code");
  const words =
    code === undefined ? `HTTP status ${status}` : refusalWords(element(text, "Message") ?? "", code, transport);
  const message = `${url.host}: ${words}`;
  const actual = headers["x-amz-bucket-region"];
  if (typeof actual === "string" && actual !== region && /^[a-z0-9-]{1,64}$/.test(actual)) {
    return new StagingError("rejected", message, {
      status,
      hint: `the bucket is in ${actual}: set s3.region or AWS_REGION`,
    });
  }
  if (status === 404) return new StagingError("not-found", message, { status });
  if (code === "RequestTimeTooSkewed") {
    return new StagingError("forbidden", message, { status, hint: "the clock of this node is wrong" });
  }
  if (status === 401 || status === 403) return new StagingError("forbidden", message, { status });
  const overloaded = status === 429 || status === 503;
  const retryable = overloaded || status === 408 || status >= 500;
  return new StagingError(overloaded ? "overloaded" : status >= 500 ? "server" : "rejected", message, {
    status,
    retryable,
  });
}

/** The text of the first element of that name; S3's errors neither nest nor repeat the ones that matter here. */
export function element(xml: string, name: string): string | undefined {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" };
  return new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (_, entity: string) => entities[entity] ?? "");
}
