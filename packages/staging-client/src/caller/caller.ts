import { hiding, hidingWhole, secretsIn, type Hide, type HttpRequest, type HttpResponse } from "@kindling/http";
import { StagingError } from "../errors.ts";
import { refusal } from "../transport/read-body.ts";
import type { StagingTransport } from "../transport/staging-transport.ts";
import { isWithin } from "./credential-route.ts";

/**
 * The credentials of the caller: the whole value of `Authorization`, or a function that is called for it before each
 * request. After a 401 it is called again with the refused value, and returns that value if it has no other.
 */
export type Authorization = string | ((refused?: string) => string | undefined | Promise<string | undefined>);

/** The user of a connection. Only this object has the user's credentials, so only it can send requests with them. */
export interface Caller {
  /**
   * Sends a request with the caller's credentials, if there are any.
   *
   * @throws StagingError also for an answer that is no success; a redirect is no success, and is never followed
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Removes the credentials that were sent from a text of the server before it is shown. */
  readonly hide: Hide;
  /** Removes them from a value of the server before it is used. */
  readonly hideWhole: Hide;
}

// Older credentials have expired, and no answer to a request with them is expected any more.
const MOST_REMEMBERED = 4;

/** @param uri the base URI, to which credentials may go ({@link credentialRoute}) */
export function callerOf(uri: URL, transport: StagingTransport, authorization: Authorization | undefined): Caller {
  const sent = new Map<string, { readonly hide: Hide; readonly hideWhole: Hide }>();
  const remember = (credentials: string): void => {
    if (sent.has(credentials)) return;
    sent.set(credentials, hidesOf(credentials));
    const [oldest] = sent.keys();
    if (sent.size > MOST_REMEMBERED && oldest !== undefined) sent.delete(oldest);
  };
  const hide: Hide = (text) => [...sent.values()].reduce((shown, one) => one.hide(shown), text);
  return {
    hide,
    hideWhole: (value) => [...sent.values()].reduce((shown, one) => one.hideWhole(shown), value),
    async send(request) {
      if (!isWithin(request.url, uri)) {
        throw new StagingError("insecure", `${request.url.origin}: credentials for ${uri.href} are not sent there`);
      }
      const credentials = typeof authorization === "function" ? await authorization() : authorization;
      if (credentials !== undefined) remember(credentials);
      const response = await sendWithCredentials(transport, request, credentials);
      if (isSuccess(response)) return response;
      const failure = await refusal(response, transport, hide);
      if (response.status !== 401 || typeof authorization !== "function" || credentials === undefined) throw failure;
      throw (await authorization(credentials)) === credentials ? failure : retryable(failure);
    },
  };
}

/** Sends a request with a bundle's secret. Anybody who has the secret can read the bundle. */
export async function sendWithSecret(
  transport: StagingTransport,
  request: HttpRequest,
  secret: string,
): Promise<HttpResponse> {
  const response = await sendWithCredentials(transport, request, `Bearer ${secret}`);
  if (isSuccess(response)) return response;
  throw await refusal(response, transport, hiding(secret));
}

/** Sends a request that anybody may make. */
export async function sendAnonymously(transport: StagingTransport, request: HttpRequest): Promise<HttpResponse> {
  const response = await transport.send(request);
  if (isSuccess(response)) return response;
  throw await refusal(response, transport);
}

async function sendWithCredentials(
  transport: StagingTransport,
  request: HttpRequest,
  authorization: string | undefined,
): Promise<HttpResponse> {
  if (authorization === undefined) return await transport.send(request);
  return await transport.send({
    ...request,
    headers: { ...request.headers, [transport.credentialsField]: authorization },
  });
}

/** @param authorization the value of an `Authorization` field, with or without its scheme */
function hidesOf(authorization: string): { readonly hide: Hide; readonly hideWhole: Hide } {
  const [token = "", ...more] = secretsIn(authorization);
  return { hide: hiding(token, ...more), hideWhole: hidingWhole(token) };
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299;
}

/** The same refusal, but retryable, because other credentials are available now. */
function retryable({ fault, message, status, problem, hint, cause }: StagingError): StagingError {
  return new StagingError(fault, message, {
    retryable: true,
    ...(status !== undefined && { status }),
    ...(problem !== undefined && { problem }),
    ...(hint !== undefined && { hint }),
    cause,
  });
}
