import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection that does what it likes. */
export interface HostileSocket {
  send(text: string): void;
  isOpen(): boolean;
  /** What came so far. */
  received(): string;
  /** All that came, when the connection is over. */
  readonly end: Promise<string>;
  close(): void;
}

/** Connects to a server in plain HTTP, from another loopback address if one is named. */
export function dial({ uri }: { readonly uri: string }, from = "127.0.0.1"): HostileSocket {
  const socket: Socket = connect({ port: Number(new URL(uri).port), host: "127.0.0.1", localAddress: from });
  let text = "";
  let isOpen = true;
  socket.on("error", () => undefined);
  socket.on("data", (data) => (text += data.toString("latin1")));
  const end = new Promise<string>((resolve) => {
    socket.on("close", () => {
      isOpen = false;
      resolve(text);
    });
  });
  onTestFinished(() => void socket.destroy());
  return {
    send: (more) => void (socket.writable && socket.write(more)),
    isOpen: () => isOpen,
    received: () => text,
    end,
    close: () => socket.destroy(),
  };
}

/** The head of a request, with its empty line. */
export function head(method: string, path: string, fields: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`;
}
