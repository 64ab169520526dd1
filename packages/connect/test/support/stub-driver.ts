import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { framed, identityIn } from "@kindling/test-kit/connect-messages";

/** A call that a driver got. */
export interface DriverCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly session: string;
  readonly user: string;
  /** The first message as it came. */
  readonly message: Buffer;
  readonly stream: ServerHttp2Stream;
}

/** A server that speaks gRPC as a driver does, and answers what a test says. */
export interface StubDriver {
  readonly port: number;
  readonly calls: readonly DriverCall[];
  /** How calls are answered. Default: with one message that repeats the first message of the call. */
  answer: (call: DriverCall) => void;
  /** Breaks all connections off. */
  readonly breakOff: () => void;
}

/** Starts a driver; it is stopped when the test ends. */
export async function stubDriver(): Promise<StubDriver> {
  const calls: DriverCall[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  const breakOff = (): void => sessions.forEach((session) => session.destroy());
  const driver = { port: 0, calls, answer: answerSame, breakOff };
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    let body = Buffer.alloc(0);
    let isRead = false;
    stream.on("data", (chunk: Buffer) => {
      if (isRead) return;
      body = Buffer.concat([body, chunk]);
      if (body.length < 5 || body.length < 5 + body.readUInt32BE(1)) return;
      isRead = true;
      const message = body.subarray(5, 5 + body.readUInt32BE(1));
      const call = {
        ...{ headers, message, stream, ...identityIn(message) },
        method: String(headers[":path"]).split("/").at(-1) ?? "",
      };
      calls.push(call);
      driver.answer(call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    breakOff();
    await new Promise((resolve) => server.close(resolve));
  });
  driver.port = (server.address() as AddressInfo).port;
  return driver;
}

function answerSame({ stream, message }: DriverCall): void {
  answerWith(stream, [framed(message)]);
}

/** Answers with these bytes and a status. */
export function answerWith(stream: ServerHttp2Stream, chunks: readonly Buffer[], status = "0"): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": status }));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
}
