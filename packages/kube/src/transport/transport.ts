import {
  hiding,
  isHttpError,
  readBeginning,
  readText,
  retrying,
  secretsIn,
  type HttpRequest,
  type HttpResponse,
} from "@kindling/http";
import { sleep, type Clock } from "@kindling/outside";
import type { Credentials } from "../credentials/credential-source.ts";
import { connectionError } from "./connection-error.ts";
import { isKubeError, kubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import { shownPath } from "../errors/quoted.ts";
import { answerError } from "../errors/status-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { rateLimit } from "./rate-limit.ts";
import { untilAborted } from "../until-aborted.ts";
import { LONGEST_ERROR_BYTES, LONGEST_OBJECT_BYTES } from "./answer-limits.ts";
import { byteStream, type ByteStream } from "./byte-stream.ts";
import { connectionsTo } from "./connections.ts";
import { isAboutClient } from "./is-about-client.ts";
import { createLimiter } from "./limiter.ts";
import { repetition } from "./repetition.ts";
import { requestHeaders } from "./request-headers.ts";
import type { TransportRequest } from "./transport-request.ts";

/** Requests with credentials, time-outs and repetitions; knows HTTP and nothing of Kubernetes' objects. */
export interface Transport {
  /** The body of a 2xx answer; anything else rejects. */
  send(request: TransportRequest): Promise<string>;
  /** Resolves once a 2xx answer has begun. */
  open(request: TransportRequest): Promise<ByteStream>;
  /** Ends what is under way and refuses what comes after. */
  close(): void;
}

export interface RetryPolicy {
  /** How often a request may be repeated. */
  readonly limit: number;
  /** Longest wait before the first repetition; doubles with each. The actual wait is random between 0 and this. */
  readonly baseMs: number;
  readonly capMs: number;
}

export interface TransportOptions {
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxInFlight: number;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onAttempt: ((attempt: RequestAttempt) => void) | undefined;
}

/** One request as it was sent, repetitions being requests of their own. */
export interface RequestAttempt {
  readonly method: string;
  /** With its port, as in the URL. */
  readonly host: string;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
}

/** How long an attempt may take, and what becomes of its answer. */
interface Reading<C> {
  readonly limits: Pick<HttpRequest, "timeoutMs" | "answerTimeoutMs">;
  readonly read: (response: HttpResponse, context: KubeErrorContext) => C | Promise<C>;
}

/** What is known of a request that is being tried. */
interface Trial {
  readonly path: string;
  attempts: number;
  /** Whether one of its attempts may have been carried out. */
  mayHaveHappened: boolean;
  /** Those that were used last. */
  credentials: Credentials;
  /** Whether the server has refused credentials. */
  wasRefused: boolean;
}

export function createTransport(access: ClusterAccess, options: TransportOptions): Transport {
  const { clock, random, retry } = options;
  const limiter = createLimiter(options.maxInFlight);
  const rate = options.rateLimit && rateLimit(clock, options.rateLimit);
  const connections = connectionsTo(access, clock, { connectTimeoutMs: options.connectTimeoutMs });
  const closing = new AbortController();
  const url = new URL(access.server);
  const prefix = url.pathname.replace(/\/$/, "");

  /** One attempt; an answer outside 2xx is an error like any other. */
  async function attempt<C>(
    request: TransportRequest,
    credentials: Credentials,
    context: KubeErrorContext,
    { limits, read }: Reading<C>,
  ): Promise<C> {
    const { method, body, signal } = request;
    const headers = requestHeaders(request, credentials, options.userAgent, access, context);
    try {
      const http = connections.with(credentials.clientCertificate);
      const response = await http.send({ method, url, path: prefix + request.path, headers, body, signal, ...limits });
      const { status } = response;
      options.onAttempt?.({ method, host: url.host, status });
      if (status >= 200 && status < 300) return await read(response, context);
      const { text } = await readBeginning(response, { mostBytes: LONGEST_ERROR_BYTES });
      const words = hiding(...secretsIn(credentials.authorization ?? ""))(text);
      const mayHaveHappened = status >= 500 && method !== "GET";
      throw answerError(status, response.headers, words, clock.now(), { ...context, mayHaveHappened });
    } catch (error) {
      if (!isHttpError(error)) throw error;
      options.onAttempt?.({ method, host: url.host, status: undefined });
      const mayHaveHappened = method !== "GET" && error.mayHaveArrived;
      throw connectionError(error, access, { ...context, mayHaveHappened });
    }
  }

  async function perform<C>(request: TransportRequest, reading: Reading<C>): Promise<C> {
    const { signal, repeatable } = request;
    const path = shownPath(request.path);
    const trial: Trial = { path, attempts: 0, mayHaveHappened: false, credentials: {}, wasRefused: false };
    const repeating = {
      clock,
      random,
      attempts: retry.limit + 1,
      backoff: retry,
      signal: [closing.signal, signal],
      judge: (error: unknown) => repetition(error, repeatable),
    };
    try {
      return await retrying(repeating, () => tryOnce(request, trial, reading));
    } catch (error) {
      if (isHttpError(error)) return throwStopped(signal, closing.signal, contextOf(request, trial));
      if (!isKubeError(error)) throw error;
      const mayHaveHappened = error.mayHaveHappened || trial.mayHaveHappened;
      throw await explained(Object.assign(error, { mayHaveHappened }), trial.credentials);
    }
  }

  /** An attempt, and one more at once where the server refuses credentials and there are others by then. */
  async function tryOnce<C>(request: TransportRequest, trial: Trial, reading: Reading<C>): Promise<C> {
    trial.attempts++;
    const context = contextOf(request, trial);
    if (rate !== undefined) await waitForTurn(rate(), request);
    const credentials = await currentCredentials(request, context);
    trial.credentials = credentials;
    try {
      return await attempt(request, credentials, { ...context, mayHaveHappened: false }, reading);
    } catch (error) {
      if (!isKubeError(error)) throw error;
      trial.mayHaveHappened ||= error.mayHaveHappened;
      const isRefused = error.kind === "status" && error.status === 401;
      if (!isRefused || trial.wasRefused) throw error;
      trial.wasRefused = true;
      access.credentials.reject(credentials);
      if ((await currentCredentials(request, contextOf(request, trial))) === credentials) throw error;
    }
    return await tryOnce(request, trial, reading);
  }

  /** An abort shows in what comes next. */
  async function waitForTurn(waitMs: number, { signal }: TransportRequest): Promise<void> {
    if (waitMs > 0) await sleep(clock, waitMs, signal, closing.signal);
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
      const { timeoutMs = options.requestTimeoutMs, maxBytes: mostBytes = LONGEST_OBJECT_BYTES } = request;
      try {
        return await perform(request, {
          limits: { timeoutMs },
          read: (response) => readText(response, { mostBytes }),
        });
      } finally {
        limiter.leave();
      }
    },
    open(request) {
      const { timeoutMs: answerTimeoutMs = options.requestTimeoutMs } = request;
      return perform(request, {
        limits: { answerTimeoutMs },
        read: (response, context) => byteStream(response, { access, clock, context }),
      });
    },
    close() {
      closing.abort();
      connections.close();
    },
  };
}

function contextOf({ method }: TransportRequest, { path, attempts, mayHaveHappened }: Trial): KubeErrorContext {
  return { method, path, attempts, mayHaveHappened };
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
