import type { NetrcEntry } from "./netrc.ts";

/** Header fields by host: `host` or `host:port` for https, `http://host[:port]` if TLS is explicitly not needed. */
export type HostHeaders = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Reads `headers.json`: `{ "host[:port]": { "Name": "value" } }`. Returns a text if something is wrong. */
export function parseHeadersFile(json: string): HostHeaders | string {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return "it is no JSON";
  }
  if (!isObject(document)) return "it is no JSON object";
  const headers = new Map<string, Record<string, string>>();
  for (const [host, fields] of Object.entries(document)) {
    const key = hostKey(host);
    if (key === undefined) return `${JSON.stringify(host)} is no host, host:port, or http://host:port`;
    if (!isObject(fields)) return `${host} is no object of header fields`;
    const own: Record<string, string> = {};
    for (const [name, value] of Object.entries(fields)) {
      // RFC 9110, 5.1 and 5.5. The value is a secret: it is not shown.
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `${host} has a header field with an impossible name`;
      if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
        return `${host} has an impossible value for ${name}`;
      }
      own[name.toLowerCase()] = value;
    }
    headers.set(key, own);
  }
  return headers;
}

/** Logins as `Authorization` (RFC 7617). Returns a text if something is wrong. */
export function headersOfNetrc(entries: readonly NetrcEntry[]): HostHeaders | string {
  const headers = new Map<string, Record<string, string>>();
  for (const { machine, login, password } of entries) {
    const key = hostKey(machine);
    if (key === undefined) return `${JSON.stringify(machine)} is no host, host:port, or http://host:port`;
    // As in curl, the first entry of a machine counts.
    if (headers.has(key)) continue;
    headers.set(key, { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` });
  }
  return headers;
}

/** The header fields for a URL: an entry with the port wins over an entry without. Plain http needs an entry with `http://`. */
export function headersFor(headers: HostHeaders, url: URL): Readonly<Record<string, string>> | undefined {
  const scheme = url.protocol === "https:" ? "" : "http://";
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return headers.get(`${scheme}${url.hostname}:${port}`) ?? headers.get(`${scheme}${url.hostname}`);
}

function hostKey(text: string): string | undefined {
  const [, scheme = "", host, port] = /^(https?:\/\/)?([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?\/?$/i.exec(text) ?? [];
  if (host === undefined) return undefined;
  return `${scheme.toLowerCase() === "http://" ? "http://" : ""}${host.toLowerCase()}${port ?? ""}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
