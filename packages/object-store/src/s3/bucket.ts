import { amazonHost } from "../amazon-host.ts";
import { ObjectStoreError } from "../object-store-error.ts";

/** The address of a bucket, and the region for which its requests are signed. */
export interface Bucket {
  readonly name: string;
  /** The prefix of its keys' URLs, without a slash at its end. */
  readonly url: URL;
  readonly region: string;
}

export interface BucketSettings {
  readonly name: string;
  /** The URL of the store, such as `https://minio.storage.svc:9000`; `undefined`: Amazon's. */
  readonly endpoint: string | undefined;
  /** `undefined`: the region in the endpoint's name, if any, else `us-east-1`. */
  readonly region: string | undefined;
  /** Whether the bucket's name is in the path and not in the host's name; `undefined`: yes, except at Amazon's endpoints. */
  readonly pathStyle: boolean | undefined;
}

const CENTRAL = "s3.amazonaws.com";
const AMAZON = /(^|\.)amazonaws\.com(\.cn)?$/;

/**
 * The address of a bucket. A name that cannot be a part of a host's name is always in the path: for example, a name with
 * dots is not covered by the certificate for `*.host`.
 *
 * @throws ObjectStoreError `settings` for an endpoint that is no http or https URL
 */
export function bucketAt({ name, endpoint, region, pathStyle }: BucketSettings): Bucket {
  const store = endpointUrl(endpoint ?? `https://${CENTRAL}/`);
  // The central endpoint answers for other regions with a redirect, which a signed request cannot follow.
  const host = store.hostname === CENTRAL && region !== undefined ? amazonHost("s3", region) : store.host;
  const base = `${store.protocol}//`;
  const folder = store.pathname.replace(/\/+$/, "");
  const isHostPart = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name);
  const inPath = (pathStyle ?? !AMAZON.test(store.hostname)) || !isHostPart;
  return {
    name,
    url: new URL(inPath ? `${base}${host}${folder}/${encodeSegment(name)}` : `${base}${name}.${host}${folder}`),
    region: region ?? regionOf(store.hostname) ?? "us-east-1",
  };
}

/** @throws ObjectStoreError `settings` for a key that no URL can name */
export function objectUrl(bucket: Bucket, key: string, query: Readonly<Record<string, string>> = {}): URL {
  const segments = key.split("/");
  if (segments.includes(".") || segments.includes("..")) {
    throw new ObjectStoreError("settings", `${key}: a key with a part "." or ".." has no URL (RFC 3986, 5.2.4)`);
  }
  const url = new URL(bucket.url);
  url.pathname = `${bucket.url.pathname.replace(/\/$/, "")}/${segments.map(encodeSegment).join("/")}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function endpointUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new ObjectStoreError("settings", "the endpoint of S3 is no http or https URL");
}

function regionOf(hostname: string): string | undefined {
  return /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(hostname)?.[1];
}

/** Also encodes characters that `encodeURIComponent` leaves but S3's canonical URI does not (RFC 3986, 2.3). */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
