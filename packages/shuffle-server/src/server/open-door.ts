import { createServer, type Server, type Socket } from "node:net";
import { KindlingError } from "@kindling/core-spec";
import type { Refusals } from "../connection/refusals.ts";
import { VARIABLES, type Settings } from "./settings.ts";

/** A client that takes longer for TLS loses its connection. */
const HANDSHAKE_MS = 10_000;
/** Connections are counted when their handshake is done; so many more may be on the way to that. */
const MOST_SOCKETS = 4_096;

/**
 * A server that does not listen yet. With a key, it speaks TLS 1.2 and 1.3, as Spark's service does with `spark.ssl.rpc` (Spark
 * 4.0 and later; TransportContext.java). Clients show no certificate: Spark does not ask for one.
 *
 * @param onConnection gets each connection, after the handshake of TLS
 * @throws KindlingError `CONF_INVALID` if the key and the certificate do not belong together, or are none
 */
export async function openDoor(
  tls: Settings["tls"],
  refusals: Refusals,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  if (tls === undefined) return createServer({ noDelay: true }, onConnection);
  const server = await withKey(tls, onConnection);
  server.maxConnections = MOST_SOCKETS;
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket) => {
    // Who only looks whether the port is open says nothing.
    if (error.code === "ECONNRESET") return;
    refusals.note("authentication", socket.remoteAddress, `no TLS could be agreed: ${error.message}`);
  });
  return server;
}

async function withKey(
  { certificate, key }: NonNullable<Settings["tls"]>,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  // It takes time to load, and most servers do not need it.
  const { createServer: createTlsServer } = await import("node:tls");
  const options = {
    cert: certificate,
    key,
    minVersion: "TLSv1.2",
    noDelay: true,
    handshakeTimeout: HANDSHAKE_MS,
  } as const;
  try {
    return createTlsServer(options, onConnection);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KindlingError("CONF_INVALID", `the key and the certificate for TLS cannot be used: ${reason}`, {
      hint: `${VARIABLES.tlsCertificateFile} and ${VARIABLES.tlsKeyFile} must name a certificate and its key, in PEM and without a password`,
      cause: error,
    });
  }
}
