import type { Duplex } from "node:stream";
import { type HttpResponse, readText } from "@kindling/http";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { LONGEST_OBJECT_BYTES } from "./answer-limits.ts";
import { byteStream, type ByteStream } from "./byte-stream.ts";
import { createLimiter } from "./limiter.ts";
import { perform } from "./perform.ts";
import { throwIfStopped } from "./stopped.ts";
import { transportContext, type TransportContext } from "./transport-context.ts";
import type { TransportOptions } from "./transport-options.ts";
import type { TransportRequest } from "./transport-request.ts";

/** Requests with credentials, time-outs and repetitions. It knows HTTP, but nothing about Kubernetes' objects. */
export interface Transport {
  /** The body of a 2xx answer; anything else rejects. */
  send(request: TransportRequest): Promise<string>;
  /** Resolves once a 2xx answer has begun. */
  open(request: TransportRequest): Promise<ByteStream>;
  /** Resolves once the server has changed to the protocol that the request asks for. */
  upgrade(request: TransportRequest): Promise<UpgradedConnection>;
  /** For requests that go another way over the same connections. */
  readonly context: TransportContext;
  /** Ends running requests and refuses new ones. */
  close(): void;
}

/** A connection that has another protocol than HTTP from now on. */
export interface UpgradedConnection {
  readonly headers: HttpResponse["headers"];
  readonly socket: Duplex;
}

export function createTransport(access: ClusterAccess, options: TransportOptions): Transport {
  const { clock } = options;
  const closing = new AbortController();
  const limiter = createLimiter(options.maxInFlight);
  const transport = transportContext(access, options, closing.signal);
  return {
    context: transport,
    async send(request) {
      const entered = limiter.enter(request.signal);
      if (!(entered === true || (await entered))) throwIfStopped(request.signal, closing.signal, request);
      const { timeoutMs = options.requestTimeoutMs, maxBytes: mostBytes = LONGEST_OBJECT_BYTES } = request;
      try {
        return await perform(transport, request, {
          limits: { timeoutMs },
          read: (response) => readText(response, { mostBytes }),
        });
      } finally {
        limiter.leave();
      }
    },
    open(request) {
      const { timeoutMs: answerTimeoutMs = options.requestTimeoutMs } = request;
      return perform(transport, request, {
        limits: { answerTimeoutMs },
        read: (response, context) => byteStream(response, { access, clock, context }),
      });
    },
    upgrade(request) {
      const { timeoutMs: answerTimeoutMs = options.requestTimeoutMs } = request;
      return perform(transport, request, {
        limits: { answerTimeoutMs },
        read: ({ headers, upgraded }) => {
          if (upgraded === undefined) throw new TypeError("an answer without a connection");
          return { headers, socket: upgraded };
        },
      });
    },
    close() {
      closing.abort();
      transport.connections.close();
    },
  };
}
