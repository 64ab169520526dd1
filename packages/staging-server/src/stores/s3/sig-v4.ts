import { createHash, createHmac } from "node:crypto";

/*
 * AWS Signature Version 4 for S3 (docs.aws.amazon.com, "Authenticating Requests"). Ours rather than the AWS SDK's: the
 * algorithm has not changed since 2012 and is this file; nine operations are all that is needed; and the SDK brings a
 * hundred packages with weekly releases, buffers and retries of its own where bytes have to stream, and checksums that
 * other S3 servers refuse unless told otherwise.
 */

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SigningScope {
  readonly credentials: Credentials;
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

const ALGORITHM = "AWS4-HMAC-SHA256";
/** SHA-256 of no bytes at all. */
export const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The request's headers with those that authenticate it. */
export function signedHeaders(request: UnsignedRequest, scope: SigningScope): Record<string, string> {
  const { sessionToken } = scope.credentials;
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    "x-amz-content-sha256": request.payloadHash,
    "x-amz-date": timestamp(scope.date),
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const signature = sign(canonicalRequest(request, headers, names), scope);
  headers["authorization"] =
    `${ALGORITHM} Credential=${scope.credentials.accessKeyId}/${credentialScope(scope)}, ` +
    `SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return headers;
}

/** A URL that anybody can GET for a while. */
export function presignedUrl(url: URL, expiresInSeconds: number, scope: SigningScope): URL {
  const { accessKeyId, sessionToken } = scope.credentials;
  const signed = new URL(url);
  const query = {
    "X-Amz-Algorithm": ALGORITHM,
    "X-Amz-Credential": `${accessKeyId}/${credentialScope(scope)}`,
    "X-Amz-Date": timestamp(scope.date),
    "X-Amz-Expires": String(expiresInSeconds),
    "X-Amz-SignedHeaders": "host",
    ...(sessionToken !== undefined && { "X-Amz-Security-Token": sessionToken }),
  };
  for (const [name, value] of Object.entries(query)) signed.searchParams.set(name, value);
  const request = { method: "GET", url: signed, headers: {}, payloadHash: "UNSIGNED-PAYLOAD" };
  const signature = sign(canonicalRequest(request, { host: url.host }, ["host"]), scope);
  // As it was signed: URLSearchParams would write a blank as +.
  signed.search = `?${canonicalQuery(signed)}&X-Amz-Signature=${signature}`;
  return signed;
}

function canonicalRequest(
  { method, url, payloadHash }: UnsignedRequest,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): string {
  const lines = names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}\n`);
  return [method, canonicalPath(url), canonicalQuery(url), lines.join(""), names.join(";"), payloadHash].join("\n");
}

/** Each part of the path encoded once; S3 differs from other services in not encoding it twice. */
function canonicalPath(url: URL): string {
  return url.pathname
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** RFC 3986: everything but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sign(canonical: string, scope: SigningScope): string {
  const { secretAccessKey } = scope.credentials;
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = [ALGORITHM, timestamp(scope.date), credentialScope(scope), hash].join("\n");
  const steps = [day(scope.date), scope.region, "s3", "aws4_request"];
  const key = steps.reduce<string | Buffer>((previous, step) => hmac(previous, step), `AWS4${secretAccessKey}`);
  return hmac(key, text).toString("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function credentialScope({ date, region }: SigningScope): string {
  return `${day(date)}/${region}/s3/aws4_request`;
}

/** `20130524T000000Z` */
function timestamp(date: Date): string {
  return date.toISOString().replace(/[-:]|\.\d+/g, "");
}

function day(date: Date): string {
  return timestamp(date).slice(0, 8);
}
