import type { TLSSocket } from "node:tls";
import { timingSafeEqual } from "node:crypto";
import { ANONYMOUS, badRequest, type Exchange, unauthorized, type User } from "@kindling/api-server";
import { ADMIN, AUTHENTICATED } from "./cluster-users.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface AuthenticatorOptions {
  readonly tokens: ServiceAccountTokens;
  /** The token of the cluster's administrator. */
  readonly adminToken: string;
  /** The user of requests without credentials: nobody, or the administrator (on a developer's own machine). */
  readonly anonymous: "nobody" | "admin";
}

/**
 * Finds the user of a request: by bearer token, by client certificate, or nobody.
 *
 * @throws ApiError 401 for an invalid token, 400 for `Impersonate-*` headers, which are not supported and must not be
 *   ignored.
 */
export function authenticator({ tokens, adminToken, anonymous }: AuthenticatorOptions): (exchange: Exchange) => User {
  return (exchange) => {
    if (Object.keys(exchange.request.headers).some((name) => name.startsWith("impersonate-"))) {
      throw badRequest("impersonation is not served by this cluster");
    }
    const header = exchange.request.headers.authorization ?? "";
    if (/^bearer /i.test(header)) {
      const token = header.slice("bearer ".length).trim();
      if (equalTokens(token, adminToken)) return ADMIN;
      const holder = tokens.check(token);
      if (typeof holder === "string") throw unauthorized();
      return holder.user;
    }
    const user = certificateUser(exchange);
    return user ?? (anonymous === "admin" ? ADMIN : ANONYMOUS);
  };
}

/** Whether two tokens are the same, in constant time, so that the time does not show where they differ. */
export function equalTokens(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function certificateUser({ request }: Exchange): User | undefined {
  const socket = request.socket as Partial<TLSSocket>;
  if (socket.encrypted !== true || socket.authorized !== true) return undefined;
  const subject = socket.getPeerCertificate?.().subject as { CN?: string; O?: string | string[] } | undefined;
  if (subject?.CN === undefined) return undefined;
  const groups = subject.O === undefined ? [] : Array.isArray(subject.O) ? subject.O : [subject.O];
  return { name: subject.CN, groups: [...groups, AUTHENTICATED] };
}
