import { httpSource, type DownloadSource, type StagingTransport } from "@kindling/staging-client";
import type { Credentials } from "../../credentials/credentials.ts";
import type { Redactor } from "@kindling/core-spec";

// Signatures and tokens in a query are longer; shorter values may be parts of ordinary words.
const SHORTEST_SECRET = 16;

/** A file of the web. The credentials for its host are sent to its own origin only, and not after a redirect. */
export function httpFile(
  uri: string,
  transport: StagingTransport,
  credentials: Credentials,
  redirectHosts: readonly string[],
  redactor: Redactor,
): DownloadSource {
  const url = new URL(uri);
  for (const value of url.searchParams.values()) if (value.length >= SHORTEST_SECRET) redactor.hide(value);
  return httpSource({ url, transport, credentials: credentials.headersFor(url), redirectHosts });
}
