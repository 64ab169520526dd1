import { type AccessEntry, entryOfCertificate, entryOfToken, matchesNamespace } from "@kindling/service";
import type { Authenticator, Decision, Identity } from "./authenticator.ts";

/** @param entries asked at each request, so that the file may change */
export function tokenAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    authenticate: ({ bearer }) =>
      Promise.resolve(identityOf(bearer === undefined ? undefined : entryOfToken(entries(), bearer))),
  };
}

/** Client certificates; the TLS layer has checked who signed them. */
export function certificateAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    authenticate: ({ certificate }) =>
      Promise.resolve(identityOf(certificate === undefined ? undefined : entryOfCertificate(entries(), certificate))),
  };
}

function identityOf(entry: AccessEntry | undefined): Identity | undefined {
  if (entry === undefined) return undefined;
  return {
    subject: entry.name,
    may(_, namespace): Promise<Decision> {
      if (entry.admin || matchesNamespace(namespace, entry.namespaces)) return Promise.resolve({ allowed: true });
      return Promise.resolve({ allowed: false, reason: `${entry.name} may not use namespace ${namespace}` });
    },
  };
}
