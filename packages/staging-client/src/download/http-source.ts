import { isIP } from "node:net";
import { discardBody, type HttpResponse, type Reach } from "@kindling/http";
import { StagingError } from "../errors.ts";
import { quotedAnswer, refusal } from "../transport/read-body.ts";
import type { StagingTransport } from "../transport/staging-transport.ts";
import type { DownloadPart, DownloadSource } from "./download-source.ts";

export interface HttpSourceOptions {
  readonly url: URL;
  readonly transport: StagingTransport;
  /**
   * Header fields with credentials, such as `authorization`. They are sent only to the URL's own origin, and not after a
   * redirect has led away from it: another server's redirect is not the caller's own request.
   */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** Hosts, as `name` or `name:port`, that a redirect may lead to besides the URL's own; `*` allows any public host. */
  readonly redirectHosts?: readonly string[] | undefined;
  /** Set this if the address itself is secret; default: the URL's origin and path. */
  readonly description?: string | undefined;
}

const MAX_REDIRECTS = 3;
// RFC 1035, 2.3.4, as a text: a longer text can be no host, and would only fill messages.
const LONGEST_HOST = 253;

/** A file behind an http or https URL, in ranges (RFC 9110, 14) if the server supports them. */
export function httpSource(options: HttpSourceOptions): DownloadSource {
  const { url, transport } = options;
  const description = options.description ?? `${url.origin}${url.pathname}`;
  return {
    description,
    async open(offset, validator, signal) {
      const ranged = offset > 0 && validator !== undefined;
      const headers = {
        "accept-encoding": "identity",
        ...(ranged && { range: `bytes=${offset}-`, "if-range": validator }),
      };
      const { response, from } = await follow(options, headers, signal);
      return await partOf(response, ranged ? { offset, validator } : undefined, transport, from);
    },
  };
}

async function follow(
  options: HttpSourceOptions,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<{ response: HttpResponse; from: URL }> {
  const { transport, credentials } = options;
  let url = options.url;
  let hasLeft = false;
  let reach: Reach | undefined;
  for (let redirects = 0; ; redirects++) {
    hasLeft ||= url.origin !== options.url.origin;
    const response = await transport.send({
      method: "GET",
      url,
      headers: { ...(!hasLeft && credentials), ...headers },
      signal,
      ...(reach !== undefined && { reach }),
    });
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return { response, from: url };
    discardBody(response);
    if (redirects === MAX_REDIRECTS) {
      throw new StagingError("redirect", `${options.url.origin}: redirected more than ${MAX_REDIRECTS} times`);
    }
    ({ url, reach } = redirectTarget(options, url, location));
  }
}

interface RedirectTarget {
  readonly url: URL;
  /** Set for a host that was not allowed by name: it may be any host outside the local network. */
  readonly reach: Reach | undefined;
}

/** Whether a redirect may be followed depends on where it leads and never on where it comes from. */
function redirectTarget(options: HttpSourceOptions, from: URL, location: string): RedirectTarget {
  const refuse = (what: string): StagingError =>
    new StagingError("redirect", `${from.origin}: redirects to ${what}, which is not allowed`, {
      hint: "allow that host for redirects, or turn redirects off at the staging server",
    });
  if (!URL.canParse(location, from.href)) throw refuse("something that is no URI");
  const target = new URL(location, from);
  if (target.protocol !== "https:" && target.protocol !== "http:") {
    throw refuse(`the scheme ${quotedAnswer(target.protocol, options.transport)}`);
  }
  if (target.hostname.length > LONGEST_HOST) throw refuse("a host with a name that is too long");
  if (from.protocol === "https:" && target.protocol === "http:") throw refuse(`plain http at ${target.host}`);
  const hosts = options.redirectHosts ?? [];
  const named = target.origin === options.url.origin || hosts.includes(target.host) || hosts.includes(target.hostname);
  // A compromised server must not make its clients attack their own network. So a redirect to a bare address, or to a
  // name of a private address, is followed only if it was allowed explicitly.
  const anywhere = hosts.includes("*") && isIP(target.hostname.replace(/^\[|\]$/g, "")) === 0;
  if (!named && !anywhere) throw refuse(target.host);
  return { url: target, reach: named ? undefined : "public" };
}

interface AskedRange {
  readonly offset: number;
  readonly validator: string;
}

async function partOf(
  response: HttpResponse,
  asked: AskedRange | undefined,
  transport: StagingTransport,
  url: URL,
): Promise<DownloadPart> {
  const { status, headers, body } = response;
  const validator = headers.etag?.startsWith('"') === true ? headers.etag : undefined;
  if (status === 200) return { body, start: 0, size: sizeField(headers["content-length"]), validator };
  if (status === 206) {
    const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
    if (asked === undefined || start === undefined || Number(start) !== asked.offset) {
      body.destroy();
      throw new StagingError("protocol", `${url.origin}: answered with another range than the one asked for`);
    }
    // S3 does not support If-Range: it sends the range of the current object.
    if (validator !== undefined && validator !== asked.validator) {
      body.destroy();
      throw changed(url, "the file has changed");
    }
    return { body, start: asked.offset, size: sizeField(size), validator: asked.validator };
  }
  if (status === 416) {
    discardBody(response);
    throw changed(url, "the file has become shorter");
  }
  throw await refusal(response, transport);
}

/** The local bytes are not the beginning of the server's file: the download begins again. */
function changed(url: URL, what: string): StagingError {
  return new StagingError("rejected", `${url.origin}: ${what}`, { status: 416, retryable: true });
}

function sizeField(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
