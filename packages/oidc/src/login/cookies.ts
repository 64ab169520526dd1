import type { IncomingMessage } from "node:http";

export interface CookieOptions {
  readonly isSecure: boolean;
  /** Undefined: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/** The value of a cookie of a request (RFC 6265, 5.4). */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const [key = "", ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

/** A cookie that only this host gets, no script can read, and no other site's form can send. */
export function setCookie(name: string, value: string, { isSecure, maxAgeSeconds }: CookieOptions): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}${age}`;
}

/** With this beginning, browsers accept the cookie only from this very host over https (RFC 6265bis, 4.1.3.2). */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
