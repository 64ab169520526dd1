import { createHmac } from "node:crypto";

export interface SharedKeyRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case; `content-length` may be missing if it is zero. */
  readonly headers: Readonly<Record<string, string>>;
}

// In the order of the documentation; the date is in `x-ms-date`.
const STANDARD = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
];

/**
 * The field `Authorization` of a request that an account's key signs (Azure Storage, "Authorize with Shared Key", version
 * 2015-02-21 and later).
 *
 * @param key base64
 */
export function sharedKey(account: string, key: string, { method, url, headers }: SharedKeyRequest): string {
  const lines = [
    method,
    ...STANDARD.map((name) => (name === "content-length" && headers[name] === "0" ? "" : (headers[name] ?? ""))),
    ...Object.keys(headers)
      .filter((name) => name.startsWith("x-ms-"))
      .sort()
      .map((name) => `${name}:${headers[name]?.trim()}`),
    `/${account}${url.pathname}`,
    ...[...url.searchParams.keys()]
      .sort()
      .map((name) => `${name.toLowerCase()}:${url.searchParams.getAll(name).sort().join(",")}`),
  ];
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(lines.join("\n")).digest("base64");
  return `SharedKey ${account}:${signature}`;
}
