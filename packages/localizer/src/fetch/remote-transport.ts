import * as tls from "node:tls";
import { environmentProxies, httpTransport, type HttpTransport } from "@kindling/http";
import { stagingTransport, type DocumentLimits, type StagingTransport } from "@kindling/staging-client";
import type { ResolvedConfig } from "../config/localizer-config.ts";
import type { LocalizeOptions } from "../localize-options.ts";

/** A repository that fetches a file from somewhere else first, or a store that assembles it, takes its time. */
export const ANSWER_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * How large documents are read into memory. What parses one has a heap of 64 MiB; a manifest of 20,000 files takes 4 MB
 * and 240,000 values.
 */
export const DOCUMENTS: DocumentLimits = { mostBytes: 4 * 1024 * 1024, mostValues: 300_000 };

/** One transport for everything that is no staging server. */
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

/** The same, as downloads want it. */
export function downloadTransport(http: HttpTransport, { redactor }: LocalizeOptions): StagingTransport {
  return stagingTransport(http, { documents: DOCUMENTS, redact: (text) => redactor.clean(text) });
}
