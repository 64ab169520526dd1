import * as tls from "node:tls";
import * as http from "@kindling/http";
import { httpTransport, type DocumentLimits, type HttpTransport } from "@kindling/staging-client";
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
  { clock, redactor }: LocalizeOptions,
): HttpTransport {
  return httpTransport({
    clock,
    tls: authorities === undefined ? {} : { ca: [...tls.rootCertificates, authorities] },
    maxConnections: config.parallel,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    stallTimeoutMs: config.stallSeconds * 1000,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    documents: DOCUMENTS,
    redact: (text) => redactor.clean(text),
  });
}

/** The same for stores. */
export function storeTransport(
  config: ResolvedConfig,
  authorities: string | undefined,
  { clock, env }: LocalizeOptions,
): http.HttpTransport {
  return http.httpTransport({
    clock,
    tls: authorities === undefined ? {} : { ca: [...tls.rootCertificates, authorities] },
    proxies: http.environmentProxies(env),
    maxConnections: config.parallel,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    stallTimeoutMs: config.stallSeconds * 1000,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
}
