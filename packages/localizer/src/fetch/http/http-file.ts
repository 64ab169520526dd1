import { httpSource, type DownloadSource, type StagingTransport } from "@kindling/staging-client";
import type { Credentials } from "../../credentials/credentials.ts";
import type { Redactor } from "@kindling/core-spec";

// A signature or a token in a query is longer, and shorter values are parts of ordinary words.
const SHORTEST_SECRET = 16;

/** A file of the web. What the credentials have for its host goes to its own origin, and ends with a redirect from there. */
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
