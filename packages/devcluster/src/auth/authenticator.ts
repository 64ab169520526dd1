import type { TLSSocket } from "node:tls";
import { timingSafeEqual } from "node:crypto";
import { ANONYMOUS, badRequest, type Exchange, unauthorized, type User } from "@kindling/api-server";
import { ADMIN, AUTHENTICATED } from "./cluster-users.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface AuthenticatorOptions {
  readonly tokens: ServiceAccountTokens;
  /** The token that stands for the cluster's administrator. */
  readonly adminToken: string;
  /** What requests without credentials are: nobody, or the administrator (on a machine of one's own). */
  readonly anonymous: "nobody" | "admin";
}

/**
 * Says who makes a request: by bearer token, by client certificate, or nobody.
 *
 * @throws ApiError 401 for a token that is not good, 400 for `Impersonate-*` headers, which nobody may have in vain.
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

/** Whether two tokens are the same, told in a time that says nothing of where they differ. */
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
