import { StagingError } from "../errors.ts";
import { isLoopbackAddress } from "./loopback.ts";

/**
 * Why a caller's credentials may go to a URI:
 *
 * - `tls`: the server proves its name, and nobody else can read the credentials
 * - `loopback`: it is an address of this machine itself
 * - `localhost`: a name that should be such an address; this is checked when it is resolved
 * - `allowed`: the user has allowed exactly this URI
 */
export type CredentialRoute = "tls" | "loopback" | "localhost" | "allowed";

/**
 * @param allowed URIs as {@link insecureUris} gives them
 * @throws StagingError `insecure` if credentials may not be sent there at all
 */
export function credentialRoute(uri: URL, allowed: readonly URL[]): CredentialRoute {
  if (uri.protocol === "https:") return "tls";
  const host = uri.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopbackAddress(host)) return "loopback";
  if (host === "localhost") return "localhost";
  if (allowed.some((each) => isWithin(uri, each))) return "allowed";
  throw new StagingError("insecure", `credentials are not sent to ${uri.href} over plain HTTP`, {
    hint: `give an https URI, or allow ${uri.href} for credentials`,
  });
}

/** Whether a URI equals another one, or is below its path: by scheme, host, port and whole segments of the path. */
export function isWithin(uri: URL, base: URL): boolean {
  return uri.origin === base.origin && `${uri.pathname.replace(/\/$/, "")}/`.startsWith(base.pathname);
}

/**
 * Reads the URIs to which credentials may go over plain HTTP. Each is a complete URI of scheme, host, and optional port
 * and path. There are no wildcards, because a user cannot know what a wildcard will match.
 *
 * @throws StagingError `protocol` that names the first text that is no such URI
 */
export function insecureUris(texts: readonly string[]): readonly URL[] {
  return texts.map((text) => {
    const uri = URL.canParse(text) ? new URL(text) : undefined;
    const whole = uri?.protocol === "http:" && !/[*?#@\s]/.test(text) && /^http:\/\//i.test(text);
    if (uri === undefined || !whole) {
      throw new StagingError("protocol", `${JSON.stringify(text.slice(0, 200))} is no http URI that could be allowed`, {
        hint: "write it as http://host:port/, without wildcards, user, query or fragment",
      });
    }
    if (!uri.pathname.endsWith("/")) uri.pathname += "/";
    return uri;
  });
}
