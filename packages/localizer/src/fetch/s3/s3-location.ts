import type { ResolvedS3 } from "../../config/localizer-config.ts";
import type { Environment } from "../../config/environment.ts";
import { LocalizerError } from "../../report/localizer-error.ts";

/** Where an object is, and for which region requests to it are signed. */
export interface S3Location {
  readonly url: URL;
  readonly region: string;
}

const AMAZON = "s3.amazonaws.com";

/**
 * The URL of `s3://bucket/key`. As with AWS's own tools, the environment says where the store is; the configuration
 * wins. An endpoint of one's own is asked for `/bucket/key` unless told otherwise: few have a name for each bucket.
 *
 * @throws LocalizerError `config`
 */
export function s3Location(uri: string, config: ResolvedS3, env: Environment): S3Location {
  const [, bucket = "", path = ""] = /^[^:]+:\/\/([^/]+)\/+(.*)$/s.exec(uri) ?? [];
  const set = (name: string): string | undefined => (env[name] === "" ? undefined : env[name]);
  const given = config.endpoint ?? set("AWS_ENDPOINT_URL_S3") ?? set("AWS_ENDPOINT_URL");
  const region = config.region ?? set("AWS_REGION") ?? set("AWS_DEFAULT_REGION");
  const endpoint = endpointOf(given ?? `https://${region === undefined ? AMAZON : `s3.${region}.amazonaws.com`}`);
  const base = endpoint.pathname.replace(/\/+$/, "");
  const key = path.split("/").map(encodeSegment).join("/");
  const inPath = config.pathStyle ?? (given !== undefined && !/\.amazonaws\.com(\.cn)?$/.test(endpoint.hostname));
  return {
    // A name with dots is not covered by the certificate for *.host.
    url:
      inPath || !/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket)
        ? new URL(`${endpoint.origin}${base}/${encodeSegment(bucket)}/${key}`)
        : new URL(`${endpoint.protocol}//${bucket}.${endpoint.host}${base}/${key}`),
    region: region ?? /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(endpoint.hostname)?.[1] ?? "us-east-1",
  };
}

function endpointOf(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new LocalizerError("config", "the endpoint of S3 is no http or https URL", {
    hint: "set s3.endpoint or AWS_ENDPOINT_URL, such as https://minio.storage.svc:9000",
  });
}

/** A part of a key as S3's canonical URI has it (RFC 3986, 2.3); a key that is not encoded yet is, one that is stays. */
function encodeSegment(segment: string): string {
  let plain = segment;
  try {
    plain = decodeURIComponent(segment);
  } catch {
    // A key with a percent sign of its own.
  }
  return encodeURIComponent(plain).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
