import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { framed, request } from "@kindling/test-kit/connect-messages";
import { eventually } from "@kindling/test-kit/eventually";
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  framesIn,
  literalHeaders,
  PREFACE,
} from "@kindling/test-kit/http2-frames";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "./support/test-server.ts";

const SESSION = randomUUID();
const HEADERS = literalHeaders([
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/spark.connect.SparkConnectService/Config"],
  [":authority", "a"],
  ["content-type", "application/grpc"],
  ["authorization", "Bearer token-of-alice"],
]);

function sendCall(socket: Socket, stream: number): void {
  socket.write(frame(FRAME.headers, END_HEADERS, stream, HEADERS));
  socket.write(frame(FRAME.data, END_STREAM, stream, framed(request(SESSION))));
}

test("a call that crosses the farewell is left to the client, and the one before it is answered", async () => {
  const server = await startTestServer({ settings: ["--shutdown-grace", "10s"] });
  const { answer, calls } = server.driver;
  server.driver.answer = () => undefined;
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let heard: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk) => (heard = Buffer.concat([heard, chunk])));
  socket.write(PREFACE);
  sendCall(socket, 1);
  await eventually(() => expect(calls).toHaveLength(1));

  const stopped = server.stop();
  await eventually(() => expect(framesIn(heard).map(({ type }) => type)).toContain(FRAME.goAway));
  sendCall(socket, 3);
  // Its acknowledgement says that the call before it was read.
  socket.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  await eventually(() => expect(framesIn(heard).map(({ type }) => type)).toContain(FRAME.ping));
  for (const call of calls) answer(call);
  await stopped;

  const ended = framesIn(heard).filter(({ flags, type }) => type === FRAME.headers && (flags & END_STREAM) !== 0);
  expect(ended.map(({ stream }) => stream)).toEqual([1]);
  expect(calls).toHaveLength(1);
});
