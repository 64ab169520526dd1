import { createServer, type Socket } from "node:net";
import { ManualClock, systemClock } from "@kindling/outside";
import { messageOf } from "@kindling/core-spec";
import { caught } from "@kindling/test-kit/caught";
import { expect, it, onTestFinished } from "vitest";
import { askByTcp } from "../../src/kdc/ask-by-tcp.ts";
import { realmClient, type AskKdc } from "../../src/kdc/kdc-client.ts";
import { krb5Settings } from "../../src/krb5-conf/krb5-settings.ts";
import { parseKrb5Conf } from "../../src/krb5-conf/parse-krb5-conf.ts";

const MESSAGE = Buffer.from("request");

function settingsOf(text: string): ReturnType<typeof krb5Settings> {
  return krb5Settings(parseKrb5Conf(["c"], { readText: () => text, list: () => [] }));
}

const TWO = "[realms]\nR = {\n kdc = one\n kdc = two:8888\n}\n";
const none = (): Promise<readonly []> => Promise.resolve([]);

it("asks the KDC first that answered the last time", async () => {
  const asked: string[] = [];
  const ask: AskKdc = ({ host, port }) => {
    asked.push(`${host}:${port}`);
    return host === "one" ? Promise.reject(new Error("is away")) : Promise.resolve(Buffer.from("answer"));
  };
  const askRealm = realmClient({ settings: settingsOf(TWO), ask, findServers: none });
  await askRealm("R", MESSAGE);
  await askRealm("R", MESSAGE);
  expect(asked).toStrictEqual(["one:88", "two:8888", "two:8888"]);
});

it("looks in DNS for the KDCs of a realm that krb5.conf has not", async () => {
  const looked: string[] = [];
  const findServers = (name: string): Promise<readonly { host: string; port: number }[]> => {
    looked.push(name);
    return Promise.resolve([{ host: "found", port: 88 }]);
  };
  const ask: AskKdc = ({ host }) => Promise.resolve(Buffer.from(host));
  await expect(realmClient({ settings: settingsOf(TWO), ask, findServers })("S", MESSAGE)).resolves.toStrictEqual(
    Buffer.from("found"),
  );
  expect(looked).toStrictEqual(["_kerberos._tcp.S"]);
  const without = settingsOf(`[libdefaults]\ndns_lookup_kdc = no\n${TWO}`);
  const error = await caught(realmClient({ settings: without, ask, findServers })("S", MESSAGE));
  expect(error.message).toBe("krb5.conf names no KDC of the realm S");
});

it.each([
  ["", "krb5.conf names no KDC of the realm R, and DNS has none"],
  [
    "[realms]\nR = {\nkdc = https://proxy.example.com/KdcProxy\n}\n",
    "the KDC of the realm R is behind the proxy https://proxy.example.com/KdcProxy, which cannot be asked",
  ],
])("says why a realm has no KDC", async (text, message) => {
  const ask: AskKdc = () => Promise.reject(new Error("not asked"));
  expect(await caught(realmClient({ settings: settingsOf(text), ask, findServers: none })("R", MESSAGE))).toMatchObject(
    {
      code: "KERBEROS_FAILED",
      message,
    },
  );
});

/** The port of a server for TCP, until the test ends. */
async function aServer(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

it("reads an answer that comes in pieces", async () => {
  const port = await aServer((socket) => {
    const pieces = [[0, 0], [0], [6, 97], [110, 115], [119, 101, 114, 33]].map((bytes) => Buffer.from(bytes));
    socket.once("data", () => pieces.forEach((piece, at) => setTimeout(() => socket.write(piece), at * 10)));
    setTimeout(() => socket.destroy(), 1000).unref();
  });
  const answer = await askByTcp(systemClock)({ host: "127.0.0.1", port }, MESSAGE);
  expect(answer.toString()).toBe("answer");
});

it.each<[string, (socket: Socket) => void]>([
  ["closed the connection without an answer", (socket) => void socket.end()],
  ["is no KDC", (socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
])("says that it %s", async (why, serve) => {
  const port = await aServer((socket) => {
    serve(socket);
    socket.resume();
    setTimeout(() => socket.destroy(), 500).unref();
  });
  await expect(askByTcp(systemClock)({ host: "127.0.0.1", port }, MESSAGE)).rejects.toThrow(why);
});

it("does not wait for ever, nor when it is stopped", async () => {
  const port = await aServer((socket) => setTimeout(() => socket.destroy(), 1000).unref());
  const clock = new ManualClock();
  const stop = new AbortController();
  const waiting = askByTcp(clock)({ host: "127.0.0.1", port }, MESSAGE).catch(messageOf);
  const stopped = askByTcp(clock, stop.signal)({ host: "127.0.0.1", port }, MESSAGE).catch(messageOf);
  stop.abort();
  await clock.advance(10_000);
  expect(await Promise.all([waiting, stopped])).toStrictEqual(["did not answer within 10 s", "was not waited for"]);
});
