import type { Redactor } from "@kindling/core-spec";
import type { Credentials, KubeClient } from "@kindling/kube";

/** Keeps the credentials of a client from being shown. Somebody else made the client, and it has been used before. */
export async function hideCredentials({ access }: KubeClient, secrets: Redactor): Promise<void> {
  try {
    hideAuthorization(await access.credentials.current(), secrets);
  } catch {
    // Then there is nothing to hide.
  }
}

/** Keeps the value of an `Authorization` header from being shown, and the login in it (RFC 7617). */
export function hideAuthorization({ authorization = "" }: Credentials, secrets: Redactor): void {
  const [scheme = "", value = ""] = authorization.split(/ +/, 2);
  secrets.hide(value);
  if (scheme.toLowerCase() !== "basic") return;
  const login = Buffer.from(value, "base64").toString();
  secrets.hide(login);
  secrets.hide(login.slice(login.indexOf(":") + 1));
}
