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
