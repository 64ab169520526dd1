// @ts-check
// Attacks by users with a valid token who want all of something: calls, sessions, and memory for answers that they do not read.
import { randomUUID } from "node:crypto";
import { framed } from "@kindling/test-kit/connect-messages";
import { END_HEADERS, END_STREAM, FRAME, frame, literalHeaders, preface } from "@kindling/test-kit/http2-frames";
import { harmless, refused, refusedWith, through, worst } from "./judgement.mjs";
import { usualHeaders } from "./profiles.mjs";
import { answered } from "./raw.mjs";
import { getAllConfig, sql } from "./requests.mjs";

/** @typedef {import("./means.mjs").Kind} Kind */

const [LATE, TOO_MANY] = ["4", "8"];
const CONNECTIONS = 5;
const CALLS = 200;
const SESSIONS = 1000;
/** The usual limit of a profile. */
const MOST_SESSIONS = 100;
/** About 8 MB of text. */
const LARGE = "SELECT id, repeat('x', 1000) FROM range(8000)";

/** SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, 6.5.2). @param {number} window */
function windowOf(window) {
  const setting = Buffer.alloc(6);
  setting.writeUInt16BE(4, 0);
  setting.writeUInt32BE(window, 2);
  return setting;
}

/** Sessions that were opened by each of the attackers. @type {Map<string, number>} */
const opened = new Map();

/** @type {readonly Kind[]} */
export const GREED_KINDS = [
  {
    name: "a thousand calls that send nothing",
    weight: 0.4,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.greedy);
      const calls = Array.from({ length: CONNECTIONS }, () => caller(token)).flatMap((client) =>
        Array.from({ length: CALLS }, () => client.begin("ExecutePlan").ended),
      );
      return worst((await Promise.all(calls)).map((ended) => refusedWith(ended, LATE, TOO_MANY)));
    },
  },
  {
    name: "a thousand sessions",
    weight: 0.4,
    async act({ caller, target, random }) {
      const { name, token } = random.pick(target.attackers.greedy);
      const clients = Array.from({ length: CONNECTIONS }, () => caller(token));
      const all = Array.from({ length: SESSIONS }, (_, index) => clients[index % CONNECTIONS]);
      let [accepted, others] = [0, 0];
      await Promise.all(
        all.map(async (client) => {
          const status = (await client?.call("Config", getAllConfig(randomUUID())))?.status;
          if (status === "0") accepted += 1;
          else if (status !== TOO_MANY) others += 1;
        }),
      );
      const sum = (opened.get(name) ?? 0) + accepted;
      opened.set(name, sum);
      if (sum > MOST_SESSIONS) return through(`${sum} sessions were opened`);
      return others === 0 ? refused(`${accepted} more were opened, of ${sum}`) : harmless(`${others} ended otherwise`);
    },
  },
  {
    name: "an answer that is not taken",
    weight: 2,
    async act({ raw, target, random }) {
      const [window, query] = random.pick([
        [0, "SELECT * FROM mine"],
        [0, LARGE],
        [1, "SELECT * FROM mine"],
        [65_535, LARGE],
      ]);
      const { token } = random.pick(target.attackers.strangers);
      const { socket, heard, closed } = raw();
      socket.write(preface(windowOf(window)));
      socket.write(frame(FRAME.headers, END_HEADERS, 1, literalHeaders(usualHeaders(token))));
      socket.write(frame(FRAME.data, END_STREAM, 1, framed(sql(target.victim.session, query))));
      const how = await answered({ heard, closed });
      return how === "answered" ? through("it was answered without a window") : refused(how);
    },
  },
];
