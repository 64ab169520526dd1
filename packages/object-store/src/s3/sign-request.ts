import { AwsV4Signer } from "aws4fetch";
import type { AwsKeys } from "../credentials/aws-keys.ts";

export interface SigningScope {
  readonly keys: AwsKeys;
  readonly region: string;
  /** When the request is made, by the server's clock. */
  readonly date: Date;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Besides `host`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  readonly payloadHash: string;
}

/** SHA-256 of no bytes at all. */
export const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// A proxy or a gateway may change these, and the signature would not be valid any more.
const CHANGED_ON_THE_WAY: ReadonlySet<string> = new Set(["accept-encoding", "if-range"]);

/** The request's headers together with those that authenticate it (AWS Signature Version 4). */
export async function signedHeaders(request: UnsignedRequest, scope: SigningScope): Promise<Record<string, string>> {
  const headers = { ...request.headers, "x-amz-content-sha256": request.payloadHash };
  const lasting = Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGED_ON_THE_WAY.has(name)));
  const signed = await signer(scope, { method: request.method, url: request.url.href, headers: lasting }).sign();
  return { ...headers, ...Object.fromEntries(signed.headers) };
}

/** A URL that anybody can GET for a while. */
export async function presignedUrl(url: URL, expiresInSeconds: number, scope: SigningScope): Promise<URL> {
  const expiring = new URL(url);
  expiring.searchParams.set("X-Amz-Expires", String(expiresInSeconds));
  return (await signer(scope, { method: "GET", url: expiring.href, signQuery: true }).sign()).url;
}

function signer(
  { keys, region, date }: SigningScope,
  request: Pick<ConstructorParameters<typeof AwsV4Signer>[0], "method" | "url" | "headers" | "signQuery">,
): AwsV4Signer {
  const datetime = date.toISOString().replace(/[-:]|\.\d+/g, "");
  const { sessionToken, ...lasting } = keys;
  const credentials = sessionToken === undefined ? lasting : { ...lasting, sessionToken };
  return new AwsV4Signer({ ...request, ...credentials, service: "s3", region, datetime });
}
