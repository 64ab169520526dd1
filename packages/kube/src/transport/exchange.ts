import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock.ts";
import type { ClientCertificate } from "../credentials/credential-source.ts";
import { connectionError } from "../errors/connection-error.ts";
import { isKubeError, kubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import type { Connections } from "./connections.ts";
import type { UnderWay } from "./under-way.ts";

/** One attempt at one request. */
export interface ExchangeCall {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly signal: AbortSignal | undefined;
  /** May be infinite. */
  readonly timeoutMs: number;
  /** Goes into errors. */
  readonly context: KubeErrorContext;
}

export interface ExchangeSettings {
  readonly connections: Connections;
  /** The server's URL, for errors. */
  readonly server: string;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly underWay: UnderWay;
}

/**
 * Sends a request once and hands its answer to `read`; time-outs and the signal hold until `read` is done. Rejects with
 * a KubeError whose `mayHaveHappened` is exact about this attempt: whether any byte of the request left, or an answer
 * came that could not be read.
 */
export function exchange<R>(
  call: ExchangeCall,
  settings: ExchangeSettings,
  read: (response: IncomingMessage) => R | Promise<R>,
): Promise<R> {
  return new Promise((resolve, reject) => {
    const { clock, connections, underWay } = settings;
    const request = connections.start(call.method, call.path, call.headers, call.certificate);
    const sent = watchSending(request, connections.secure, () => stopConnectTimer());

    let isAnswered = false;
    const context = (): KubeErrorContext => ({
      ...call.context,
      mayHaveHappened: call.method !== "GET" && (isAnswered || sent()),
    });
    const label = `${call.method} ${call.path}`;
    const timeout = (phase: "connect" | "answer", milliseconds: number): void => {
      const words = phase === "connect" ? `no connection to ${settings.server}` : `no answer from ${settings.server}`;
      fail(
        kubeError({ kind: "timeout", phase, milliseconds }, `${label}: ${words} within ${milliseconds} ms`, context()),
      );
    };
    const limit = (phase: "connect" | "answer", milliseconds: number): (() => void) =>
      Number.isFinite(milliseconds)
        ? clock.after(milliseconds, () => timeout(phase, milliseconds))
        : (): void => undefined;
    const stopConnectTimer = limit("connect", settings.connectTimeoutMs);
    const stopTimer = limit("answer", call.timeoutMs);
    const abort = (): void =>
      fail(kubeError({ kind: "aborted" }, `${label}: aborted`, { ...context(), cause: call.signal?.reason }));

    const task = underWay.begin(abort);
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      stopConnectTimer();
      stopTimer();
      underWay.finish(task);
      call.signal?.removeEventListener("abort", abort);
      return true;
    };
    const fail = (error: KubeError): void => {
      if (!settle()) return;
      reject(error);
      request.destroy();
    };
    const failWith = (error: unknown): void => {
      if (settled) return;
      fail(toKubeError(error, settings.server, context()));
    };

    call.signal?.addEventListener("abort", abort, { once: true });
    request.on("error", failWith);
    request.on("response", (response: IncomingMessage) => {
      isAnswered = true;
      Promise.resolve(read(response)).then((result) => {
        if (settle()) resolve(result);
      }, failWith);
    });
    request.end(call.body);
  });
}

/** Tells from then on whether any byte of the request has left; calls back when the connection is ready. */
function watchSending(request: ClientRequest, secure: boolean, onConnected: () => void): () => boolean {
  let socket: Socket | undefined;
  let connected = false;
  let writtenBefore = 0;
  request.on("socket", (assigned: Socket) => {
    socket = assigned;
    writtenBefore = assigned.bytesWritten;
    const ready = (): void => {
      connected = true;
      onConnected();
    };
    if (request.reusedSocket || (!secure && !assigned.connecting)) ready();
    else assigned.once(secure ? "secureConnect" : "connect", ready);
  });
  return () => connected && socket !== undefined && socket.bytesWritten > writtenBefore;
}

function toKubeError(error: unknown, server: string, context: KubeErrorContext): KubeError {
  if (isKubeError(error)) return error;
  if (error instanceof RangeError) {
    return kubeError({ kind: "protocol" }, `${context.method} ${context.path}: ${error.message}`, {
      ...context,
      cause: error,
    });
  }
  const failure = error instanceof Error ? error : new Error(String(error));
  const proxy = "proxy" in failure && typeof failure.proxy === "string" ? `the proxy ${failure.proxy}` : undefined;
  return connectionError(failure, proxy ?? server, context);
}
