import { type AccessEntry, entryOfCertificate, entryOfToken, matchesNamespace } from "@kindling/service";
import type { Authenticator, Decision, Identity } from "./authenticator.ts";

/** @param entries called for each request, so that the file may change */
export function tokenAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    wanted: "Authorization: Bearer with a token whose SHA-256 is in the service's auth.accessFile",
    authenticate: ({ bearer }) =>
      Promise.resolve(identityOf(bearer === undefined ? undefined : entryOfToken(entries(), bearer))),
  };
}

/** Client certificates; the TLS layer has checked who signed them. */
export function certificateAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    wanted: "a client certificate whose common name is in the service's auth.accessFile",
    authenticate: ({ certificate }) =>
      Promise.resolve(identityOf(certificate === undefined ? undefined : entryOfCertificate(entries(), certificate))),
  };
}

function identityOf(entry: AccessEntry | undefined): Identity | undefined {
  if (entry === undefined) return undefined;
  return {
    subject: entry.name,
    groups: [],
    may(_, namespace): Promise<Decision> {
      if (entry.admin || matchesNamespace(namespace, entry.namespaces)) return Promise.resolve({ allowed: true });
      const reason = `${entry.name} may not use namespace ${namespace}`;
      const hint = "the namespaces of each client are in the service's auth.accessFile";
      return Promise.resolve({ allowed: false, reason, hint });
    },
  };
}
