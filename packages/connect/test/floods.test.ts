import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { join } from "node:path";
import { testAuthority } from "@kindling/test-kit/certificates";
import { eventually } from "@kindling/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { endOf } from "@kindling/test-kit/connect-client";
import { framed, request } from "@kindling/test-kit/connect-messages";
import { frame, literalHeaders, PREFACE } from "@kindling/test-kit/http2-frames";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const PATIENT = 30_000;
const SESSION = randomUUID();

/** Sends bytes on a connection of its own until the service closes it. */
async function flood({ uri }: TestServer, bytes: Buffer): Promise<void> {
  const socket = connectTcp(Number(new URL(uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.write(PREFACE);
  const send = (): void => {
    while (!socket.destroyed && socket.write(bytes)) if (socket.writableLength > 1024 * 1024) break;
  };
  socket.on("drain", send);
  socket.resume();
  send();
  await closed;
}

async function statusForOthers({ client }: TestServer): Promise<string> {
  return (await client().call("ExecutePlan", { session: SESSION })).status;
}

/** Settings of a service with a certificate. */
function tlsSettings(): readonly string[] {
  const { cert, key } = testAuthority("floods").issue("localhost");
  const { path } = scratchFolder({ "cert.pem": cert, "key.pem": key });
  return ["--tls-cert-file", join(path, "cert.pem"), "--tls-key-file", join(path, "key.pem")];
}

/** A call without a token. */
const HEADERS = literalHeaders([
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/spark.connect.SparkConnectService/Config"],
  [":authority", "a"],
]);

describe("a connection is closed that floods the service, and others are served", () => {
  test.each<[string, Buffer]>([
    ["with settings", Buffer.concat(Array.from({ length: 100 }, () => frame(4, 0, 0)))],
    ["with pings", Buffer.concat(Array.from({ length: 100 }, () => frame(6, 0, 0, Buffer.alloc(8))))],
    ["with frames that are none", Buffer.concat(Array.from({ length: 100 }, () => frame(1, 0, 0, Buffer.alloc(100))))],
    [
      "with headers without an end",
      Buffer.concat([
        frame(1, 0, 1, HEADERS),
        ...Array.from({ length: 100 }, () =>
          frame(9, 0, 1, Buffer.concat([Buffer.from([0, 1, 120, 100]), Buffer.alloc(100)])),
        ),
      ]),
    ],
  ])("%s", { timeout: PATIENT }, async (_, bytes) => {
    const server = await startTestServer();
    await flood(server, bytes);
    expect(await statusForOthers(server)).toBe("0");
  });

  test.each([
    ["", []],
    [", with fewer calls at once than are too many", ["--limits-calls-per-connection", "20"]],
  ])("with calls that it resets at once%s", { timeout: PATIENT }, async (_, settings) => {
    const server = await startTestServer({ settings });
    const calls = Array.from({ length: 5000 }, (_, index) => {
      const stream = 2 * index + 1;
      return Buffer.concat([frame(1, 4, stream, HEADERS), frame(3, 0, stream, Buffer.from([0, 0, 0, 8]))]);
    });
    await flood(server, Buffer.concat(calls));
    expect(await statusForOthers(server)).toBe("0");
  });

  test("that never makes a call", { timeout: PATIENT }, async () => {
    const server = await startTestServer({ settings: ["--limits-first-message", "1s"] });
    const socket = connectTcp(Number(new URL(server.uri).port), "127.0.0.1");
    socket.write(PREFACE);
    socket.resume();
    await new Promise((resolve) => socket.on("close", resolve));
    expect(await statusForOthers(server)).toBe("0");
  });
});

test(
  "ten thousand calls that send nothing are refused above the limits, and the others end",
  { timeout: 60_000 },
  async () => {
    const server = await startTestServer({
      settings: ["--limits-first-message", "2s", "--limits-calls-per-user", "500"],
    });
    const clients = Array.from({ length: 40 }, () => server.client());
    const ends = clients.flatMap((client) => Array.from({ length: 250 }, () => endOf(client.begin("ExecutePlan"))));
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    expect(statuses).toHaveLength(10_000);
    // Without their messages they are late; above the limit of the user they are refused at once.
    expect([...new Set(statuses)].toSorted()).toEqual(["4", "8"]);
    expect(await statusForOthers(server)).toBe("0");
  },
);

test("a connection that guesses tokens is closed, and its client is told why", { timeout: PATIENT }, async () => {
  const server = await startTestServer();
  const guesser = server.client();
  let reason: number | undefined;
  guesser.session.on("goaway", (code) => (reason = code));
  const guesses = Array.from({ length: 600 }, (_, count) => guesser.call("Config", { token: `guess-${count}` }));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses).not.toContain("0");
  expect(reason).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  expect(await statusForOthers(server)).toBe("0");
});

test("a handshake that never ends is ended, and counts as a connection", { timeout: PATIENT }, async () => {
  const limits = ["--limits-first-message", "2s", "--limits-connections-per-client", "2"];
  const server = await startTestServer({ settings: [...tlsSettings(), ...limits] });
  const silent = Array.from({ length: 3 }, () => connectTcp(Number(new URL(server.uri).port), "127.0.0.1"));
  const closed: number[] = [];
  for (const [index, socket] of silent.entries()) {
    socket.on("error", () => undefined);
    socket.on("close", () => closed.push(index));
    socket.resume();
    await once(socket, "connect");
  }
  await eventually(() => expect(closed).toEqual([2]));
  await eventually(() => expect(closed).toHaveLength(3));
});

test("a handshake that has not ended does not hold up the end of the service", { timeout: PATIENT }, async () => {
  const server = await startTestServer({ settings: [...tlsSettings(), "--shutdown-grace", "1s"] });
  const socket = connectTcp(Number(new URL(server.uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const began = Date.now();
  await server.stop();
  expect(Date.now() - began).toBeLessThan(10_000);
});

test("connections above the limit are closed", { timeout: PATIENT }, async () => {
  const server = await startTestServer({ settings: ["--limits-connections-per-client", "3"] });
  const clients = Array.from({ length: 3 }, () => server.client());
  for (const client of clients) await client.call("Config", { session: SESSION });
  const fourth = server.client();
  await eventually(() => expect(fourth.session.destroyed).toBe(true));
  clients[0]?.session.destroy();
  await eventually(async () => expect(await statusForOthers(server)).toBe("0"));
});

test("a driver that answers nonsense harms nobody but its own call", { timeout: PATIENT }, async () => {
  const server = await startTestServer();
  const own = server.client();
  const { answer } = server.driver;
  server.driver.answer = ({ stream }) => {
    stream.respond({ ":status": 500, "content-type": "text/html" });
    stream.end("<html>not gRPC</html>");
  };
  const stream = own.begin("ExecutePlan");
  const ended = endOf(stream);
  stream.end(framed(request(SESSION)));
  expect((await ended).status).not.toBe("0");
  server.driver.answer = answer;
  expect(await own.call("ExecutePlan", { session: SESSION })).toMatchObject({ status: "0" });
});
