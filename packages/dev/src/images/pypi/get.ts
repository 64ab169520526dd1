import { messageOf } from "@kindling/core-spec";

/**
 * Requests a URI with what it says about its user as HTTP's basic authentication, as pip does it; `fetch` itself refuses
 * such URIs, and names them whole in its error.
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

/** Why a request failed, and what to do about it where that is known. `fetch` itself says no more than that it failed. */
export function explainFetch(error: unknown): { readonly why: string; readonly hint?: string } {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code);
  // What a proxy that opens TLS presents: curl and pip may trust its authority, Node has a list of its own.
  const isUnknownAuthority = /^(UNABLE_TO_(GET|VERIFY)_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code);
  return {
    why: messageOf(cause),
    ...(isUnknownAuthority && { hint: "name the file of the certificate authority to trust in NODE_EXTRA_CA_CERTS" }),
  };
}
