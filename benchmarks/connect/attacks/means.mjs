// @ts-check
// What an attack can use. All that it hears is kept: none of it may be the victim's.
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { ConnectClient, endOf } from "@kindling/test-kit/connect-client";
import { framed } from "@kindling/test-kit/connect-messages";

/** @typedef {import("@kindling/test-kit/connect-client").CallOptions} CallOptions */
/** @typedef {import("@kindling/test-kit/connect-client").Ended} Ended */
/** @typedef {import("@kindling/test-kit/random").Random} Random */
/** @typedef {{ name: string, token: string }} Attacker a user with a valid token, who may use the profile `small` */

/**
 * @typedef {object} Target
 * @property {number} port
 * @property {string} ca
 * @property {import("./victim.mjs").Victim} victim
 * @property {Readonly<Record<"strangers" | "releasers" | "givers" | "greedy", readonly Attacker[]>>} attackers strangers have a
 *   view `mine` in a session of the victim's ID, with their own name in it
 * @property {() => Attacker & { revoke: () => void }} leaver a user whose token can be revoked; another one each time
 */

/** @typedef {{ socket: import("node:net").Socket, heard: () => Buffer, closed: Promise<void> }} RawConnection */
/** @typedef {ReturnType<typeof meansOf>} Means */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} weight how often it is drawn
 * @property {(means: Means) => Promise<import("./judgement.mjs").Judgement>} act
 */

/** Nothing of an answer to an attacker is so long that the marker could be behind it. */
const MOST_HEARD = 4 * 1024 * 1024;

/** @param {Target} target @param {Random} random */
export function meansOf(target, random) {
  /** @type {(() => void)[]} */
  const undo = [];
  /** @type {(() => Buffer)[]} */
  const heard = [];

  /** @param {Ended} ended */
  const note = (ended) => {
    const text = Buffer.from(`${ended.message}\n${ended.details}\n`, "latin1");
    heard.push(() => Buffer.concat([text, ended.body.subarray(0, MOST_HEARD)]));
    return ended;
  };

  return {
    target,
    random,
    /** All that was heard so far. */
    heard: () => Buffer.concat(heard.map((read) => read())),
    /** Ends what is still open. */
    close: () => undo.forEach((end) => end()),

    /** A connection of HTTP/2 with a token; none: "". @param {string} token */
    caller: (token) => {
      const client = new ConnectClient(`https://localhost:${target.port}`, { ca: target.ca, token });
      undo.push(() => client.close());
      return {
        session: client.session,
        /** @param {string} method @param {Buffer} message @param {CallOptions} [options] */
        call: async (method, message, options) =>
          note(await client.call(method, { body: framed(message), ...options })),
        /** Begins a call without its message. @param {string} method @param {CallOptions} [options] */
        begin(method, options) {
          const stream = client.begin(method, options);
          return { stream, ended: endOf(stream).then(note) };
        },
      };
    },

    /** A connection that any bytes can be sent on. @param {{ tls?: boolean, protocols?: string[] }} [options] */
    raw: ({ tls = true, protocols = ["h2"] } = {}) => {
      const address = { port: target.port, host: "127.0.0.1" };
      const socket = tls
        ? connectTls({ ...address, ca: target.ca, servername: "localhost", ALPNProtocols: protocols })
        : connect(address);
      /** @type {Buffer[]} */
      const chunks = [];
      let length = 0;
      socket.on("data", (/** @type {Buffer} */ chunk) => {
        length += chunk.length;
        if (length <= MOST_HEARD) chunks.push(chunk);
      });
      socket.on("error", () => undefined);
      undo.push(() => socket.destroy());
      const all = () => Buffer.concat(chunks);
      heard.push(all);
      /** @type {Promise<void>} */
      const closed = new Promise((resolve) => socket.on("close", () => resolve()));
      return { socket, heard: all, closed };
    },
  };
}
