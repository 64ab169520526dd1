import * as tls from "node:tls";
import { environmentProxies, httpTransport, type HttpTransport } from "@kindling/http";
import { stagingTransport, type DocumentLimits, type StagingTransport } from "@kindling/staging-client";
import type { ResolvedConfig } from "../config/localizer-config.ts";
import type { LocalizeOptions } from "../localize-options.ts";

/** A repository may first fetch a file from another place, and a store may first assemble it, so an answer may take long. */
export const ANSWER_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The largest documents that are read into memory. The process that parses them has a heap of 64 MiB; a manifest of
 * 20,000 files takes 4 MB and 240,000 values.
 */
export const DOCUMENTS: DocumentLimits = { mostBytes: 4 * 1024 * 1024, mostValues: 300_000 };

/** One transport for all sources except staging servers. */
export function remoteTransport(
  config: ResolvedConfig,
  authorities: string | undefined,
  { clock, env }: LocalizeOptions,
): HttpTransport {
  return httpTransport({
    clock,
    tls: authorities === undefined ? {} : { ca: [...tls.rootCertificates, authorities] },
    proxies: environmentProxies(env),
    maxConnections: config.parallel,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    stallTimeoutMs: config.stallSeconds * 1000,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
}

/** The same, in the form that downloads need. */
export function downloadTransport(http: HttpTransport, { redactor }: LocalizeOptions): StagingTransport {
  return stagingTransport(http, { documents: DOCUMENTS, redact: (text) => redactor.clean(text) });
}
