import { httpSource, type DownloadSource, type HttpTransport } from "@kindling/staging-client";
import type { Credentials } from "../credentials/credentials.ts";

/** A file of the web. What the credentials have for its host goes to its own origin, and not along redirects. */
export function httpFile(
  uri: string,
  transport: HttpTransport,
  credentials: Credentials,
  redirectHosts: readonly string[],
): DownloadSource {
  const url = new URL(uri);
  return httpSource({ url, transport: withHeaders(transport, url.origin, credentials.headersFor(url)), redirectHosts });
}

/** Adds header fields to the requests for one origin. */
export function withHeaders(
  transport: HttpTransport,
  origin: string,
  headers: Readonly<Record<string, string>>,
): HttpTransport {
  return {
    ...transport,
    send: async (request) =>
      await transport.send(
        request.url.origin === origin ? { ...request, headers: { ...headers, ...request.headers } } : request,
      ),
  };
}
