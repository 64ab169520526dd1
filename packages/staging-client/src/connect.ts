import type { CredentialsField } from "@kindling/core-spec";
import { httpTransport, withoutProxy, type HttpTransport, type ProxyChoice, type TlsOptions } from "@kindling/http";
import { systemClock, type Clock } from "@kindling/outside";
import { callerOf, type Authorization } from "./caller/caller.ts";
import { credentialRoute, insecureUris, type CredentialRoute } from "./caller/credential-route.ts";
import { loopbackLookup } from "./caller/loopback.ts";
import { StagingError } from "./errors.ts";
import { stagingCalls, type StagingClient } from "./staging-client.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./transport/retry.ts";
import { stagingTransport, type DocumentLimits } from "./transport/staging-transport.ts";

export interface ConnectOptions {
  /** The server's base URI, such as `https://staging.example:10000/`. */
  readonly uri: string;
  /** It is sent over TLS, to this machine itself, or to URIs of `allowInsecure`; never along a redirect. */
  readonly authorization?: Authorization;
  /** URIs to which the authorization may go over plain HTTP: this server's URI, as it is in `uri`. No wildcards. */
  readonly allowInsecure?: readonly string[];
  /**
   * The field for credentials. Default: `authorization`. Use `kindling-authorization` if something between here and the
   * server uses `authorization` itself.
   */
  readonly credentialsField?: CredentialsField;
  /** Sends the requests, instead of connections with the options below; closed with the client. */
  readonly http?: HttpTransport;
  readonly tls?: TlsOptions;
  /**
   * The proxies between here and the server, as `environmentProxies(process.env)` of `@kindling/http`; never for a server
   * on this machine. Default: none, and the environment is not read.
   */
  readonly proxies?: ProxyChoice;
  /** Most connections at once; default 8. */
  readonly maxConnections?: number;
  /** Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Longest pause between two bytes of a body; default 30 s. */
  readonly stallTimeoutMs?: number;
  /** Longest wait for an answer after the request's last byte; default 5 min. */
  readonly answerTimeoutMs?: number;
  /** The largest documents of the server that are read into memory; default 16 MiB. */
  readonly documents?: DocumentLimits;
  /** Removes secrets from the server's texts before errors quote them. */
  readonly redact?: (text: string) => string;
  readonly retry?: Partial<RetryPolicy>;
  /** Called for each failure that is retried, with the wait before that. */
  readonly onRetry?: (error: StagingError, waitMs: number) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 * A client of one staging server. Opens no connection until it is used.
 *
 * @throws StagingError `protocol` for a text that is no http or https URI; `insecure` if there is an authorization that
 * may not be sent to that URI
 */
export function connectStaging(options: ConnectOptions): StagingClient {
  const clock = options.clock ?? systemClock;
  const uri = baseUri(options.uri);
  const allowed = insecureUris(options.allowInsecure ?? []);
  const route = options.authorization === undefined ? undefined : credentialRoute(uri, allowed);
  const http = options.http ?? connections(options, route, clock);
  const { credentialsField, documents, redact } = options;
  const transport = stagingTransport(http, { credentialsField, documents, redact });
  return stagingCalls({
    uri,
    transport,
    caller: callerOf(uri, transport, options.authorization),
    clock,
    random: options.random ?? Math.random,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    onRetry: options.onRetry,
  });
}

function connections(options: ConnectOptions, route: CredentialRoute | undefined, clock: Clock): HttpTransport {
  return httpTransport({
    clock,
    tls: options.tls ?? {},
    // A server on this machine is not behind a proxy, even if a proxy's settings say so.
    proxies: route === "loopback" || route === "localhost" ? withoutProxy : (options.proxies ?? withoutProxy),
    maxConnections: options.maxConnections ?? 8,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    stallTimeoutMs: options.stallTimeoutMs ?? 30_000,
    answerTimeoutMs: options.answerTimeoutMs ?? 300_000,
    ...(route === "localhost" && { lookup: loopbackLookup() }),
  });
}

function baseUri(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new StagingError("protocol", "the staging server's URI is not an http or https URI", {
      hint: "give it as https://host:port/",
    });
  }
  const uri = new URL(text);
  if (uri.username !== "" || uri.password !== "") {
    throw new StagingError("protocol", "the staging server's URI has credentials in it", {
      hint: "pass a token instead; URIs end up in logs",
    });
  }
  uri.search = "";
  uri.hash = "";
  // Without the slash, relative paths would replace the last part of the base path.
  if (!uri.pathname.endsWith("/")) uri.pathname += "/";
  return uri;
}
