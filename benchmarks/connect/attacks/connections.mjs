// @ts-check
// Attacks below gRPC: bytes that are not HTTP/2, and floods of its frames. All of them lose their connection.
import { randomBytes } from "node:crypto";
import { END_HEADERS, FRAME, frame, literalHeaders, PREFACE } from "@kindling/test-kit/http2-frames";
import { sleep } from "../../harness/wait.mjs";
import { harmless, refused } from "./judgement.mjs";
import { usualHeaders } from "./profiles.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const REPEATS = 100;
const CALLS = 5000;
const BETWEEN_MS = 20;
const MOST_WAITING = 1024 * 1024;
const HTTP1 = "GET /spark.connect.SparkConnectService/Config HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** @param {(count: number) => Buffer} make */
const many = (make, count = REPEATS) => Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

/**
 * Says something once, and waits for the end of the connection.
 *
 * @param {string} name
 * @param {number} weight
 * @param {(random: Means["random"]) => string | Buffer} say
 * @param {Parameters<Means["raw"]>[0]} [options]
 * @returns {Kind}
 */
function said(name, weight, say, options) {
  return {
    name,
    weight,
    async act({ raw, random }) {
      const { socket, closed } = raw(options);
      socket.write(say(random));
      await closed;
      return refused("the connection was closed");
    },
  };
}

/**
 * Says something again and again, until the connection is closed.
 *
 * @param {string} name
 * @param {(token: string) => Buffer} bytes
 * @param {Buffer} [once] comes before it
 * @returns {Kind}
 */
function flood(name, bytes, once = PREFACE) {
  return {
    name,
    weight: 1,
    async act({ raw, target, random }) {
      const { socket, closed } = raw();
      const again = bytes(random.pick(target.attackers.greedy).token);
      socket.write(once);
      const send = () => {
        while (!socket.destroyed && socket.write(again)) if (socket.writableLength > MOST_WAITING) break;
      };
      socket.on("drain", send);
      send();
      await closed;
      return refused("the connection was closed");
    },
  };
}

/**
 * Calls that end at once: each has another number.
 *
 * @param {string} token none: ""
 * @param {(stream: number) => Buffer} end
 */
function shortCalls(token, end) {
  const headers = literalHeaders(usualHeaders(token).filter(([name]) => token !== "" || name !== "authorization"));
  return many((index) => {
    const stream = 2 * index + 1;
    return Buffer.concat([frame(FRAME.headers, END_HEADERS, stream, headers), end(stream)]);
  }, CALLS);
}

/** @param {number} stream */
const takenBack = (stream) => frame(FRAME.reset, 0, stream, Buffer.from([0, 0, 0, 8]));
/** A server has to end such a call itself (CVE-2025-8671). @param {number} stream */
const wronged = (stream) => frame(FRAME.windowUpdate, 0, stream, Buffer.alloc(4));

/** @type {readonly Kind[]} */
export const CONNECTION_KINDS = [
  said("HTTP/1.1 in clear text", 2, () => HTTP1, { tls: false }),
  said("HTTP/1.1 over TLS", 2, () => HTTP1, { protocols: ["http/1.1"] }),
  said("HTTP/1.1 where HTTP/2 was agreed", 2, () => HTTP1),
  said("HTTP/2 in clear text", 2, () => PREFACE, { tls: false }),
  said("random bytes in clear text", 2, (random) => randomBytes(1000 + random.below(20_000)), { tls: false }),
  said("random bytes over TLS", 2, (random) => randomBytes(100 + random.below(20_000))),
  said("half a preface", 1, (random) => PREFACE.subarray(0, 1 + random.below(20))),
  said("a preface and no call", 1, () => PREFACE),
  said("a handshake that never ends", 1, () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1]), { tls: false }),
  said("a frame that is too long", 2, () => Buffer.concat([PREFACE, frame(FRAME.data, 0, 0, Buffer.alloc(100_000))])),
  said("data of no call", 2, () => Buffer.concat([PREFACE, frame(FRAME.data, 0, 1, Buffer.from("x"))])),
  said("a window of more than 2 GiB", 2, () =>
    Buffer.concat([PREFACE, many(() => frame(FRAME.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])), 2)]),
  ),
  said("an even number of a call", 2, () =>
    Buffer.concat([PREFACE, frame(FRAME.headers, END_HEADERS, 2, literalHeaders(usualHeaders("x")))]),
  ),
  said("headers that cannot be unpacked", 2, () =>
    Buffer.concat([PREFACE, frame(FRAME.headers, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]))]),
  ),
  flood("a flood of settings", () => many(() => frame(FRAME.settings, 0, 0))),
  flood("a flood of pings", () => many(() => frame(FRAME.ping, 0, 0, Buffer.alloc(8)))),
  flood("a flood of frames that are none", () => many(() => frame(FRAME.headers, 0, 0, Buffer.alloc(100)))),
  flood(
    "headers without an end",
    () =>
      many(() => frame(FRAME.continuation, 0, 1, Buffer.concat([Buffer.from([0, 1, 120, 100]), Buffer.alloc(100)]))),
    Buffer.concat([PREFACE, frame(FRAME.headers, 0, 1, literalHeaders(usualHeaders("x")))]),
  ),
  flood("calls without a token that are taken back at once", () => shortCalls("", takenBack)),
  flood("calls that are taken back at once", (token) => shortCalls(token, takenBack)),
  flood("calls that the service has to take back", (token) => shortCalls(token, wronged)),
  flood("calls above the limit of a connection", (token) => shortCalls(token, () => Buffer.alloc(0))),
  flood(
    "a farewell, and then a wrong window again and again",
    () => many(() => wronged(1)),
    Buffer.concat([
      PREFACE,
      frame(FRAME.headers, END_HEADERS, 1, literalHeaders(usualHeaders("x"))),
      frame(FRAME.goAway, 0, 0, Buffer.alloc(8)),
    ]),
  ),
  {
    // Behind the answer to a call, where no call is under way any more: no more than a waste of the attacker's own time.
    name: "data without an end and without bytes",
    weight: 1,
    async act({ raw }) {
      const { socket, closed } = raw();
      socket.write(PREFACE);
      socket.write(frame(FRAME.headers, END_HEADERS, 1, literalHeaders(usualHeaders("x"))));
      const isOver = closed.then(() => true);
      for (let count = 0; count < REPEATS; count += 1) {
        socket.write(many(() => frame(FRAME.data, 0, 1)));
        if (await Promise.race([isOver, sleep(BETWEEN_MS)])) return refused("the connection was closed");
      }
      return harmless("the frames were thrown away");
    },
  },
];
