import { messageOf } from "@kindling/core-spec";

/**
 * Requests a URI; a user and password in the URI are sent as HTTP's basic authentication, as pip does. `fetch` itself refuses
 * such URIs, and its error contains the whole URI.
 */
export function get(uri: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
  const url = new URL(uri);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const user = [username, password].map(decodeURIComponent).join(":");
  const authorization = user === ":" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  return fetch(url, { headers: { ...headers, ...authorization }, signal });
}

/** Why a request failed, and what to do about it if that is known. `fetch` itself only says that it failed. */
export function explainFetch(error: unknown): { readonly why: string; readonly hint?: string } {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code);
  // The certificate of a proxy that intercepts TLS: curl and pip may trust its CA, but Node has its own list.
  const isUnknownAuthority = /^(UNABLE_TO_(GET|VERIFY)_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code);
  return {
    why: messageOf(cause),
    ...(isUnknownAuthority && { hint: "name the file of the certificate authority to trust in NODE_EXTRA_CA_CERTS" }),
  };
}
