import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { onTestFinished } from "vitest";

/** A connection on which a test can send anything. */
export interface HostileSocket {
  readonly socket: Socket;
  send(...pieces: (string | Buffer)[]): void;
  /** The status of the first answer; `undefined` if the connection ends without one. */
  readonly status: Promise<number | undefined>;
  /** Everything that was received, when the connection has ended. */
  readonly text: Promise<string>;
  /** Everything that was received so far. */
  received(): string;
  isOpen(): boolean;
  close(): void;
}

export interface DialOptions {
  /** The local address, on a machine with many loopback addresses. */
  readonly from?: string;
  /** Trusts any certificate. */
  readonly tls?: boolean;
}

export function dial(uri: string, { from, tls = false }: DialOptions = {}): HostileSocket {
  const target = { port: Number(new URL(uri).port), host: "127.0.0.1" };
  const local = from === undefined ? {} : { localAddress: from };
  const socket = tls ? connectSecurely({ ...target, rejectUnauthorized: false }) : connect({ ...target, ...local });
  let received = "";
  let open = true;
  socket.on("error", () => undefined);
  const text = new Promise<string>((resolve) => {
    socket.on("close", () => {
      open = false;
      resolve(received);
    });
  });
  const status = new Promise<number | undefined>((resolve) => {
    socket.on("data", (data: Buffer) => {
      if (received.length < 100_000) received += data.toString("latin1");
      const [, code] = /^HTTP\/1\.1 (\d{3})/.exec(received) ?? [];
      if (code !== undefined) resolve(Number(code));
    });
    void text.then(() => resolve(undefined));
  });
  const hostile: HostileSocket = {
    socket,
    send: (...pieces) => {
      for (const piece of pieces) if (socket.writable) socket.write(piece);
    },
    status,
    text,
    received: () => received,
    isOpen: () => open,
    close: () => socket.destroy(),
  };
  onTestFinished(() => hostile.close());
  return hostile;
}

/** The head of a request, with its empty line. */
export function head(method: string, path: string, fields: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`;
}
