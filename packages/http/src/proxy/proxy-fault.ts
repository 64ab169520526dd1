import { STATUS_CODES } from "node:http";
import { connectionFault } from "../errors/connection-fault.ts";
import { httpError, isHttpError, type HttpError } from "../errors/http-error.ts";
import { shownProxy, type Proxy } from "./proxy.ts";

/** The error for a proxy that cannot be reached, or whose connection failed. */
export function proxyUnreachable(proxy: Proxy, error: unknown): HttpError {
  const fault = connectionFault(error, shownProxy(proxy));
  // An error about the request and not about the proxy, such as an abort.
  if (isHttpError(error)) return fault;
  const code = "code" in fault ? fault.code : undefined;
  return httpError({ kind: "proxy", code, status: undefined }, fault.peer, fault.words, {
    hint: `check ${proxy.source}`,
    retryable: fault.retryable,
    cause: fault.cause,
  });
}

/** The error for an HTTP proxy that answers with a refusal. */
export function proxyRefusal(proxy: Proxy, status: number, asked: string): HttpError {
  const words = `it answered ${[status, STATUS_CODES[status]].filter(Boolean).join(" ")} to ${asked}`;
  return httpError({ kind: "proxy", code: undefined, status }, shownProxy(proxy), words, {
    hint: refusalHint(proxy, status),
    // A gateway's faults may pass. A forbidden host stays forbidden.
    retryable: status === 429 || status >= 500,
  });
}

/** The error for a proxy that refuses in another way. */
export function proxyRefuses(proxy: Proxy, words: string, hint?: string): HttpError {
  return httpError({ kind: "proxy", code: undefined, status: undefined }, shownProxy(proxy), words, { hint });
}

function refusalHint(proxy: Proxy, status: number): string {
  if (status === 407) return loginHint(proxy);
  if (status === 403) return `the proxy does not allow that host; if it can be reached without it, add it to NO_PROXY`;
  return `can the proxy of ${proxy.source} reach that host? if it can be reached without it, add it to NO_PROXY`;
}

export function loginHint({ source, login }: Proxy): string {
  if (login() !== undefined) return `check the user and password in ${source}`;
  return `the proxy asks for a user and a password: write them into ${source}, as scheme://user:password@host:port`;
}
