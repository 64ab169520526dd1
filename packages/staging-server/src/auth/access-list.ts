import { type AccessEntry, entryOfCertificate, entryOfToken, matchesNamespace } from "@kindling/service";
import type { Authenticator, Decision, Identity } from "./authenticator.ts";

/** @param entries called at each request, so that the file may change */
export function tokenAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    mode: "token",
    authenticate({ bearer }) {
      const found = bearer === undefined ? undefined : entryOfToken(entries(), bearer);
      return Promise.resolve(found === undefined ? undefined : listedIdentity(found));
    },
  };
}

/** Client certificates; the TLS layer has checked who signed them. */
export function certificateAuthenticator(entries: () => readonly AccessEntry[]): Authenticator {
  return {
    mode: "mtls",
    authenticate({ certificate }) {
      const found = certificate === undefined ? undefined : entryOfCertificate(entries(), certificate.name);
      return Promise.resolve(found === undefined ? undefined : listedIdentity(found));
    },
  };
}

function listedIdentity(entry: AccessEntry): Identity {
  return {
    subject: entry.name,
    mayUpload(namespace): Promise<Decision> {
      if (matchesNamespace(namespace, entry.namespaces)) return Promise.resolve({ allowed: true });
      return Promise.resolve({ allowed: false, reason: `${entry.name} may not upload for namespace ${namespace}` });
    },
    mayAdminister: () => Promise.resolve(entry.admin),
  };
}
