import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import { guardConnection } from "../addresses/reach.ts";
import { connectionFault } from "../errors/connection-fault.ts";
import { httpError, type HttpError } from "../errors/http-error.ts";
import { proxyRefusal, proxyUnreachable } from "../proxy/proxy-fault.ts";
import { shownProxy } from "../proxy/proxy.ts";
import type { HttpRequest, HttpResponse } from "./http-request.ts";
import type { Route } from "./route.ts";
import { sendBody } from "./send-body.ts";
import { stallGuard } from "./stall-guard.ts";
import { takeUpgrade } from "./take-upgrade.ts";
import type { UnderWay } from "./under-way.ts";
import { watchSending } from "./watch-sending.ts";

export interface ExchangeSettings {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly underWay: UnderWay;
}

/**
 * Sends a request once; resolves with the beginning of its answer. The signal, `timeoutMs` and the limit of pauses apply
 * until the answer's end. Rejects with an HttpError whose `mayHaveArrived` is exact (whether any byte of the request
 * left), or with the error of the stream of the request's body.
 */
export function exchange(request: HttpRequest, route: Route, settings: ExchangeSettings): Promise<HttpResponse> {
  const { url, signal, reach, timeoutMs } = request;
  const { clock, underWay } = settings;
  return new Promise((resolve, reject) => {
    const outgoing = route.start(request, headersOf(request));
    if (reach !== undefined && !route.proxied) guardConnection(outgoing, url, reach);
    const limits = limitsOf(request, settings);
    let response: IncomingMessage | undefined;
    let source: Readable | undefined;
    let unreadable: Error | undefined;

    const end = (error: HttpError): void => void (response ?? outgoing).destroy(error);
    const fail = (fault: "aborted" | Parameters<typeof timeout>[1], milliseconds = 0): void =>
      end(
        fault === "aborted"
          ? httpError({ kind: "aborted" }, url.origin, "aborted", { mayHaveArrived: sent(), cause: signal?.reason })
          : timeout(url, fault, milliseconds, sent()),
      );
    const sending = watchSending(outgoing, route.secure, limits, clock, fail);
    const sent = (): boolean => response !== undefined || sending.hasSent();
    const abort = (): void => fail("aborted");
    const cancelWhole = after(clock, timeoutMs, () => fail("whole", timeoutMs));
    const task = underWay.begin(abort);
    signal?.addEventListener("abort", abort, { once: true });

    const settle = (): void => {
      cancelWhole();
      sending.stop();
      underWay.finish(task);
      signal?.removeEventListener("abort", abort);
      source?.destroy();
    };
    const refuse = (error: HttpError): void => {
      settle();
      reject(error);
    };

    outgoing.on("error", (error) => {
      if (error === unreadable) {
        settle();
        reject(error);
      } else if (route.forward !== undefined && !sent()) refuse(proxyUnreachable(route.forward, error));
      else refuse(connectionFault(error, url.origin, sent()));
    });
    const begin = (answer: IncomingMessage): void => {
      response = answer;
      sending.stop();
    };
    outgoing.on("response", (answer) => {
      begin(answer);
      // A refusal may come before the body is sent. The rest of the body would only be discarded, and the connection
      // cannot be used for another request.
      const early = !outgoing.writableEnded;
      if (early) source?.destroy();
      answer.on("end", () => early && outgoing.destroy());
      // Without a listener, an error of a body that is not read any more would end the process.
      answer.on("error", () => undefined);
      const stall = stallGuard(clock, limits.stallTimeoutMs, answer, (milliseconds) => fail("idle", milliseconds));
      answer.on("close", () => {
        stall.stop();
        settle();
      });
      const { statusCode: status = 0, headers } = answer;
      if (status === 407 && route.forward !== undefined) {
        refuse(proxyRefusal(route.forward, status, request.method));
        answer.destroy();
        return;
      }
      const proxy = route.forward === undefined ? undefined : shownProxy(route.forward);
      const remoteAddress = route.proxied ? undefined : answer.socket.remoteAddress;
      resolve({ status, headers, body: answer, url, remoteAddress, proxy });
    });

    if (request.upgrade === true) takeUpgrade(outgoing, url, { begin, cancelWhole, resolve, settle });
    source = send(request, outgoing, (error) => (unreadable = error));
  });
}

/** Sends the body; returns the stream that it is read from, if it is one. */
function send(
  { body, onSent }: HttpRequest,
  outgoing: ClientRequest,
  onUnreadable: (error: Error) => void,
): Readable | undefined {
  if (body === undefined || typeof body === "string") outgoing.end(body);
  else if (Buffer.isBuffer(body)) outgoing.end(body, () => onSent?.(body.length));
  else {
    const source = body.open();
    source.on("error", onUnreadable);
    sendBody(source, outgoing, onSent);
    return source;
  }
  return undefined;
}

function headersOf({ method, headers, body }: HttpRequest): OutgoingHttpHeaders {
  const copied: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) copied[name] = typeof value === "string" ? value : [...value];
  }
  const length = lengthOf(method, body);
  if (length !== undefined) copied["content-length"] = length;
  return copied;
}

function lengthOf(method: HttpRequest["method"], body: HttpRequest["body"]): number | undefined {
  if (body === undefined) return method === "GET" || method === "HEAD" ? undefined : 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return body.length;
}

/** The time limits for one request: a limit for the whole replaces the others, except the one for the connection. */
function limitsOf(request: HttpRequest, settings: ExchangeSettings): Omit<ExchangeSettings, "clock" | "underWay"> {
  const { connectTimeoutMs } = settings;
  const { timeoutMs } = request;
  const unlimited = timeoutMs === undefined ? undefined : Infinity;
  return {
    connectTimeoutMs,
    stallTimeoutMs: request.stallTimeoutMs ?? unlimited ?? settings.stallTimeoutMs,
    answerTimeoutMs: request.answerTimeoutMs ?? unlimited ?? settings.answerTimeoutMs,
  };
}

const NOTHING_WITHIN = {
  connect: "no connection",
  send: "no byte could be sent",
  answer: "no answer",
  whole: "no whole answer",
  idle: "no byte arrived",
} as const;

function timeout(
  { origin }: URL,
  phase: keyof typeof NOTHING_WITHIN,
  milliseconds: number,
  mayHaveArrived: boolean,
): HttpError {
  const words = `${NOTHING_WITHIN[phase]} within ${shownTime(milliseconds)}`;
  return httpError({ kind: "timeout", phase, milliseconds }, origin, words, { retryable: true, mayHaveArrived });
}

function shownTime(milliseconds: number): string {
  return milliseconds >= 1000 ? `${Math.round(milliseconds / 1000)} s` : `${milliseconds} ms`;
}

/** Calls back after a time; never if the time is infinite or undefined. */
function after(clock: Clock, milliseconds: number | undefined, callback: () => void): () => void {
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return () => undefined;
  return clock.after(milliseconds, callback);
}
