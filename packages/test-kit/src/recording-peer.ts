import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createSecureServer, TLSSocket, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";

/** A proxy in front of a server that keeps every byte, decrypted. */
export interface RecordingPeer {
  readonly url: string;
  /** The data from the client. */
  readonly received: () => string;
  /** The data from the server. */
  readonly answered: () => string;
  /** Common names of the clients' certificates. */
  readonly certificates: ReadonlySet<string>;
}

/**
 * @param backend the address of a server without TLS
 * @param tls with it, clients use TLS to the peer
 */
export async function recordingPeer(backend: string, tls?: TlsOptions): Promise<RecordingPeer> {
  const target = new URL(backend);
  const received: Buffer[] = [];
  const answered: Buffer[] = [];
  const certificates = new Set<string>();
  const sockets = new Set<Socket>();
  const onConnection = (client: Socket): void => {
    const server = connect(Number(target.port), target.hostname);
    const name = client instanceof TLSSocket ? client.getPeerCertificate().subject?.CN : undefined;
    if (typeof name === "string") certificates.add(name);
    for (const [from, to, record] of [[client, server, received] as const, [server, client, answered] as const]) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => record.push(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(server).pipe(client);
  };
  const listener: Server = tls === undefined ? createServer(onConnection) : createSecureServer(tls, onConnection);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });
  const { port } = listener.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    received: () => Buffer.concat(received).toString("latin1"),
    answered: () => Buffer.concat(answered).toString("latin1"),
    certificates,
  };
}

/** Which of these texts appear in a recording: unchanged or in base64, as a whole or as a part of something longer. */
export function found(texts: Readonly<Record<string, string>>, recording: string): string[] {
  return Object.entries(texts)
    .filter(([, text]) => [text, ...base64Forms(text)].some((form) => recording.includes(form)))
    .map(([name]) => name);
}

/** The characters that represent a text in base64, for each possible position in the encoded data. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.from(`${"\0".repeat(shift)}${text}`, "latin1").toString("base64");
    // The first characters also depend on what is before the text, and the last ones on what is after it.
    const form = encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + text.length) * 4) / 3));
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
