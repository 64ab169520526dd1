import { httpError, type HttpRequest, type HttpResponse, type HttpTransport } from "@kindling/http";
import { linkedAbort, type LinkedAbort } from "../linked-abort.ts";
import { sendToService } from "../transport/service-transport.ts";
import type { TransportContext } from "../transport/transport-context.ts";

/** How long requests to services may take. The time for a connection is that of the client. */
export interface ServiceLimits {
  /** Longest pause between two bytes of a body. */
  readonly stallTimeoutMs: number;
  /** Longest wait for an answer's beginning. */
  readonly answerTimeoutMs: number;
}

/** HTTP to services over the connections of a client, which go on when it is closed. */
export function services({ access, connections, options }: TransportContext, limits: ServiceLimits): HttpTransport {
  const underWay = new Set<LinkedAbort>();
  let isClosed = false;

  async function send(request: HttpRequest): Promise<HttpResponse> {
    if (isClosed) throw httpError({ kind: "aborted" }, request.url.origin, "the client is closed");
    const link = linkedAbort(request.signal);
    underWay.add(link);
    const release = (): void => {
      link.release();
      underWay.delete(link);
    };
    try {
      const { userAgent } = options;
      const limited = { ...limitsOf(request, limits), ...request, signal: link.signal };
      const response = await sendToService({ access, connections, userAgent }, limited);
      if (response.body.closed) release();
      else response.body.once("close", release);
      return response;
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    clock: options.clock,
    stallTimeoutMs: limits.stallTimeoutMs,
    send,
    close() {
      isClosed = true;
      for (const link of underWay) link.abort();
    },
  };
}

/** A limit for the whole of a request is given instead of these. */
function limitsOf({ timeoutMs }: HttpRequest, limits: ServiceLimits): Partial<ServiceLimits> {
  return timeoutMs === undefined ? limits : {};
}
