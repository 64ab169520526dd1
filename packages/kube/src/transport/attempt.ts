import { hiding, isHttpError, readBeginning, secretsIn, type HttpRequest, type HttpResponse } from "@kindling/http";
import type { Credentials } from "../credentials/credential-source.ts";
import type { KubeErrorContext } from "../errors/kube-error.ts";
import { answerError } from "../errors/status-error.ts";
import { LONGEST_ERROR_BYTES } from "./answer-limits.ts";
import { connectionError } from "./connection-error.ts";
import { requestHeaders } from "./request-headers.ts";
import type { TransportContext } from "./transport-context.ts";
import type { TransportRequest } from "./transport-request.ts";

/** How long an attempt may take, and how its answer is read. */
export interface Reading<C> {
  readonly limits: Pick<HttpRequest, "timeoutMs" | "answerTimeoutMs">;
  readonly read: (response: HttpResponse, context: KubeErrorContext) => C | Promise<C>;
}

/** One attempt; an answer outside 2xx is an error like any other. */
export async function attempt<C>(
  { access, options, connections, url, prefix }: TransportContext,
  request: TransportRequest,
  credentials: Credentials,
  context: KubeErrorContext,
  { limits, read }: Reading<C>,
): Promise<C> {
  const { method, body, signal } = request;
  const upgrade = request.upgrade !== undefined;
  const headers = requestHeaders(request, credentials, options.userAgent, access, context);
  try {
    const http = connections.with(credentials.clientCertificate);
    const path = prefix + request.path;
    const response = await http.send({ method, url, path, headers, body, signal, upgrade, ...limits });
    const { status } = response;
    options.onAttempt?.({ method, host: url.host, status });
    if (upgrade ? response.upgraded !== undefined : status >= 200 && status < 300) return await read(response, context);
    const { text } = await readBeginning(response, { mostBytes: LONGEST_ERROR_BYTES });
    const words = hiding(...secretsIn(credentials.authorization ?? ""))(text);
    const mayHaveHappened = status >= 500 && method !== "GET";
    throw answerError(status, response.headers, words, options.clock.now(), { ...context, mayHaveHappened });
  } catch (error) {
    if (!isHttpError(error)) throw error;
    options.onAttempt?.({ method, host: url.host, status: undefined });
    const mayHaveHappened = method !== "GET" && error.mayHaveArrived;
    throw connectionError(error, access, { ...context, mayHaveHappened });
  }
}
