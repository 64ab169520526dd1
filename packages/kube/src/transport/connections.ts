import { httpTransport, type HttpTransport, type TransportOptions } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import type { ClientCertificate } from "../credentials/credential-source.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";

/** Kept-alive connections to one API server. */
export interface Connections {
  /** The connections with this client certificate, or with none. */
  with(certificate: ClientCertificate | undefined): HttpTransport;
  /** Ends running requests, and refuses new ones. */
  close(): void;
}

/** How long a request may take. */
export type ConnectionLimits = Pick<TransportOptions, "connectTimeoutMs"> &
  Partial<Pick<TransportOptions, "stallTimeoutMs" | "answerTimeoutMs" | "maxConnections">>;

/** Opens no connection before the first request. */
export function connectionsTo({ tls, proxy }: ClusterAccess, clock: Clock, limits: ConnectionLimits): Connections {
  const opened: HttpTransport[] = [];
  let current: HttpTransport | undefined;
  let currentCertificate: ClientCertificate | undefined;

  function open(certificate: ClientCertificate | undefined): HttpTransport {
    const transport = httpTransport({
      clock,
      tls: { ...tls, ...certificate },
      proxies: () => proxy,
      // Each request has its own limit; a watch may be silent for minutes, and a log for ever.
      stallTimeoutMs: Infinity,
      answerTimeoutMs: Infinity,
      ...limits,
    });
    opened.push(transport);
    return transport;
  }

  return {
    with(certificate) {
      if (current === undefined || certificate?.cert !== currentCertificate?.cert) {
        // A plug-in has issued a new certificate: running requests keep the old connections, which then get no new ones.
        current = open(certificate);
        currentCertificate = certificate;
      }
      return current;
    },
    close() {
      for (const transport of opened) transport.close();
    },
  };
}
