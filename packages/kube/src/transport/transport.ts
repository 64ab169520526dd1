import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { RetryPolicy } from "../client/options.ts";
import { sleep, type Clock } from "../clock.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Credentials } from "../credentials/credential-source.ts";
import { hideCredentials } from "../errors/hide-credentials.ts";
import { isKubeError, kubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import { shownPath } from "../errors/quoted.ts";
import { answerError } from "../errors/status-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { LONGEST_ERROR_BYTES, LONGEST_OBJECT_BYTES } from "./answer-limits.ts";
import { byteStream, type ByteStream } from "./byte-stream.ts";
import { openConnections, type Connections } from "./connections.ts";
import { exchange, type ExchangeSettings } from "./exchange.ts";
import { isAboutClient } from "./is-about-client.ts";
import { createLimiter } from "./limiter.ts";
import { readBeginning, readText } from "./read-text.ts";
import { retryDelayMs, type Repeatable } from "./retry.ts";
import { createUnderWay } from "./under-way.ts";

export interface TransportRequest {
  readonly method: string;
  /** Path and query, without the server's own prefix. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Longest answer of success that is read; default: that of an object. */
  readonly maxBytes?: number | undefined;
  readonly repeatable: Repeatable;
}

/** Requests with credentials, time-outs and repetitions; knows HTTP and nothing of Kubernetes' objects. */
export interface Transport {
  /** The body of a 2xx answer; anything else rejects. */
  send(request: TransportRequest): Promise<string>;
  /** Resolves once a 2xx answer has begun. */
  open(request: TransportRequest): Promise<ByteStream>;
  /** Ends what is under way and refuses what comes after. */
  close(): void;
}

export interface TransportOptions {
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxInFlight: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
}

type Answer<C> =
  | { readonly ok: true; readonly content: C }
  | { readonly ok: false; readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

type Reader<C> = (response: IncomingMessage, context: KubeErrorContext) => C | Promise<C>;

export function createTransport(access: ClusterAccess, options: TransportOptions): Transport {
  const { clock } = options;
  const limiter = createLimiter(options.maxInFlight);
  const underWay = createUnderWay();
  const closing = new AbortController();
  let opening: Promise<Connections> | undefined;
  let settings: ExchangeSettings | undefined;

  async function connect(): Promise<ExchangeSettings> {
    opening ??= openConnections(access);
    const connections = await opening;
    settings = { connections, server: access.server, connectTimeoutMs: options.connectTimeoutMs, clock, underWay };
    return settings;
  }

  /** One attempt; an answer outside 2xx is an error like any other. */
  async function attempt<C>(
    request: TransportRequest,
    credentials: Credentials,
    context: KubeErrorContext,
    read: Reader<C>,
  ): Promise<C> {
    const call = {
      method: request.method,
      path: request.path,
      headers: sendable(headersFor(request, credentials, options.userAgent), access, context),
      body: request.body,
      certificate: credentials.clientCertificate,
      signal: request.signal,
      timeoutMs: request.timeoutMs ?? options.requestTimeoutMs,
      context,
    };
    const answer = await exchange(call, settings ?? (await connect()), async (response): Promise<Answer<C>> => {
      const { statusCode: status = 0, headers } = response;
      if (status >= 200 && status < 300) return { ok: true, content: await read(response, context) };
      return { ok: false, status, headers, text: await readBeginning(response, LONGEST_ERROR_BYTES) };
    });
    if (answer.ok) return answer.content;
    const mayHaveHappened = answer.status >= 500 && request.method !== "GET";
    const text = hideCredentials(answer.text, credentials);
    throw answerError(answer.status, answer.headers, text, clock.now(), { ...context, mayHaveHappened });
  }

  async function perform<C>(request: TransportRequest, read: Reader<C>): Promise<C> {
    let isRefreshed = false;
    let mayHaveHappened = false;
    const path = shownPath(request.path);
    for (let attempts = 1; ; attempts++) {
      const context = { method: request.method, path, attempts };
      const credentials = await currentCredentials(request, { ...context, mayHaveHappened });
      let failure: KubeError;
      try {
        return await attempt(request, credentials, context, read);
      } catch (error) {
        if (!isKubeError(error)) throw error;
        failure = error;
      }
      const isUnauthorized = failure.kind === "status" && failure.status === 401;
      if (isUnauthorized && !isRefreshed) {
        isRefreshed = true;
        access.credentials.reject(credentials);
        if ((await currentCredentials(request, { ...context, mayHaveHappened })) !== credentials) continue;
      }
      const delay = retryDelayMs(failure, request.repeatable, attempts, options.retry, options.random);
      mayHaveHappened ||= failure.mayHaveHappened;
      if (delay === undefined) throw await explained(Object.assign(failure, { mayHaveHappened }), credentials);
      await sleep(clock, delay, closing.signal, request.signal);
    }
  }

  /** A plug-in may take minutes; whoever gives up before that does not wait for it. */
  async function currentCredentials(request: TransportRequest, context: KubeErrorContext): Promise<Credentials> {
    throwIfStopped(request.signal, closing.signal, context);
    const fetching = access.credentials.current(request.signal ?? closing.signal);
    if (!(fetching instanceof Promise)) return fetching;
    try {
      const credentials = await untilAborted(fetching, request.signal, closing.signal);
      if (credentials !== undefined) return credentials;
    } catch (error) {
      if (!isKubeError(error) || context.mayHaveHappened !== true) throw error;
      // The error itself is the same for all who wait, and an earlier attempt of this request alone may have happened.
      throw kubeError({ kind: "credentials" }, error.message, { ...context, hint: error.hint, cause: error });
    }
    return throwStopped(request.signal, closing.signal, context);
  }

  async function explained(failure: KubeError, credentials: Credentials): Promise<KubeError> {
    if (!isAboutClient(failure)) return failure;
    const { explainRefusal } = await import("./explain-refusal.ts");
    return explainRefusal(failure, credentials, access, clock.now());
  }

  return {
    async send(request) {
      const entered = limiter.enter(request.signal);
      if (!(entered === true || (await entered))) throwIfStopped(request.signal, closing.signal, request);
      try {
        return await perform(request, (response) => readText(response, request.maxBytes ?? LONGEST_OBJECT_BYTES));
      } finally {
        limiter.leave();
      }
    },
    open(request) {
      return perform(request, (response, context) =>
        byteStream(response, { server: access.server, clock, signal: request.signal, context, underWay }),
      );
    },
    close() {
      closing.abort();
      underWay.endAll();
      void opening?.then(
        (connections) => connections.destroy(),
        () => undefined,
      );
    },
  };
}

function throwIfStopped(signal: AbortSignal | undefined, closing: AbortSignal, context: KubeErrorContext): void {
  if (signal?.aborted === true || closing.aborted) throwStopped(signal, closing, context);
}

function throwStopped(signal: AbortSignal | undefined, closing: AbortSignal, context: KubeErrorContext): never {
  const words = closing.aborted ? "the client is closed" : "aborted";
  throw kubeError({ kind: "aborted" }, `${context.method} ${context.path}: ${words}`, {
    ...context,
    cause: signal?.reason,
  });
}

// RFC 9110, 5.5; Node sends no others.
const UNSENDABLE = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** The same headers; what cannot be sent comes from credentials, and is named without its value. */
function sendable(
  headers: OutgoingHttpHeaders,
  { credentials: { description } }: ClusterAccess,
  context: KubeErrorContext,
): OutgoingHttpHeaders {
  for (const [name, value] of Object.entries(headers)) {
    if (![value].flat().some((each) => typeof each === "string" && UNSENDABLE.test(each))) continue;
    const message = `${description} gives a header ${name} with a line break or another character that cannot be sent`;
    throw kubeError({ kind: "credentials" }, message, {
      ...context,
      hint: "check that the token is whole, in one line",
    });
  }
  return headers;
}

function headersFor(request: TransportRequest, credentials: Credentials, userAgent: string): OutgoingHttpHeaders {
  const headers: Record<string, string | number | string[]> = {
    accept: request.accept ?? "application/json",
    "user-agent": userAgent,
  };
  if (credentials.authorization !== undefined) headers["authorization"] = credentials.authorization;
  for (const [name, value] of Object.entries(credentials.headers ?? {})) {
    headers[name] = typeof value === "string" ? value : [...value];
  }
  if (request.body !== undefined) {
    headers["content-type"] = request.contentType ?? "application/json";
    headers["content-length"] = Buffer.byteLength(request.body);
  }
  return headers;
}
