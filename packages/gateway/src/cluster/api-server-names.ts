import { connect, type TLSSocket } from "node:tls";
import type { ClusterAccess } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

/** A renewed certificate may have other names. */
const ASKED_AGAIN_MS = 60_000;
const PATIENCE_MS = 5_000;

/**
 * The names in the API server's certificate, as soon as they are known. A client that reaches a service through the API
 * server, as `kubectl proxy` does, sends the API server's name. The API server is asked at once, and again by calls that come
 * a minute later or more.
 */
export function apiServerNames(access: ClusterAccess, clock: Clock): () => readonly string[] {
  let names: readonly string[] = [];
  let askedAt: number | undefined;
  const known = (): readonly string[] => {
    const now = clock.monotonic();
    if (askedAt === undefined || now - askedAt >= ASKED_AGAIN_MS) {
      askedAt = now;
      void namesOf(access).then((found) => {
        if (found.length > 0) names = found;
      });
    }
    return names;
  };
  known();
  return known;
}

/** Empty if the API server cannot be asked, or if its certificate is not trusted. */
async function namesOf({ server, tls }: ClusterAccess): Promise<string[]> {
  const { protocol, hostname, port } = new URL(server);
  if (protocol !== "https:") return [];
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({
    ...{ host, port: Number(port || "443"), timeout: PATIENCE_MS, rejectUnauthorized: !tls.insecureSkipVerify },
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.servername !== undefined && { servername: tls.servername }),
  });
  try {
    return subjectNames(await secured(socket));
  } catch {
    return [];
  } finally {
    socket.destroy();
  }
}

function secured(socket: TLSSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", () => resolve(socket.getPeerCertificate().subjectaltname ?? ""));
    socket.once("error", reject);
    socket.once("timeout", () => reject(new Error("the API server does not answer")));
  });
}

/** @param alternatives as Node.js gives them: `DNS:kubernetes.default.svc, IP Address:10.0.0.1` */
function subjectNames(alternatives: string): string[] {
  return alternatives
    .split(", ")
    .filter((name) => name.startsWith("DNS:"))
    .map((name) => name.slice("DNS:".length));
}
