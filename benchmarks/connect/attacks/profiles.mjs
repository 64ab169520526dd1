// @ts-check
// Attacks by users with a valid token on profiles and queues that are not theirs, and with headers that should mean something else.
import { framed } from "@kindling/test-kit/connect-messages";
import { END_HEADERS, END_STREAM, FRAME, frame, literalHeaders, PREFACE } from "@kindling/test-kit/http2-frames";
import { harmless, refused, refusedWith } from "./judgement.mjs";
import { answered } from "./raw.mjs";
import { sql } from "./requests.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const DENIED = "7";
const PROFILES = [
  "few",
  "FEW",
  "Small",
  "none",
  "small, few",
  "small,few",
  "small;few",
  "*",
  ".",
  "../few",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "{}",
  "few\u00a0",
  "$(id)",
  "' OR ''='",
  "x".repeat(10_000),
];
const QUEUES = ["usual", "root", "root.admin", "*", "../adhoc", "adhoc/../..", "__proto__", "a=b", "x".repeat(5000)];

/** Headers behind the usual ones: for other programs they would be another user's, another request's, or the end of one. */
/** @type {readonly (readonly [string, string])[]} */
const STRANGE = [
  ["x-tag", "a\r\nauthorization: Bearer stolen"],
  ["x-tag", "a\0b"],
  ["x-tag\r\nx-profile", "few"],
  ["X-Profile", "few"],
  ["x profile", "few"],
  ["", "few"],
  [":path", "/spark.connect.SparkConnectService/Config"],
  [":authority", "somebody@localhost"],
  [":user", "somebody"],
  ["connection", "close, authorization"],
  ["transfer-encoding", "chunked"],
  ["content-length", "1"],
  ["content-length", "99999999999999999999"],
  ["te", "gzip"],
  ["upgrade", "h2c"],
  ["host", "somebody.example.com"],
  ["user_id", "somebody"],
  ["x-forwarded-user", "somebody"],
  ["authorization", "Bearer stolen"],
  ["grpc-encoding", "gzip"],
  ["grpc-timeout", "0n"],
  ["grpc-timeout", "-1S"],
  ["spark-user", "somebody"],
];

/** @param {string} token @returns {readonly (readonly [string, string])[]} */
export const usualHeaders = (token) => [
  [":method", "POST"],
  [":scheme", "https"],
  [":path", "/spark.connect.SparkConnectService/ExecutePlan"],
  [":authority", "localhost"],
  ["content-type", "application/grpc"],
  ["te", "trailers"],
  ["authorization", `Bearer ${token}`],
];

/** @type {readonly Kind[]} */
export const PROFILE_KINDS = [
  {
    name: "a profile that is not theirs",
    weight: 6,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const headers = { "x-profile": random.pick(PROFILES) };
      return refusedWith(
        await caller(token).call("ExecutePlan", sql(target.victim.session, "SELECT 1"), { headers }),
        DENIED,
      );
    },
  },
  {
    name: "a queue that is not theirs",
    weight: 4,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const headers = { "x-queue": random.pick(QUEUES) };
      return refusedWith(
        await caller(token).call("ExecutePlan", sql(target.victim.session, "SELECT 1"), { headers }),
        DENIED,
      );
    },
  },
  {
    name: "headers that mean something else",
    weight: 8,
    async act({ raw, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const { socket, heard, closed } = raw();
      const extra = random.pick(STRANGE);
      const place = random.chance(0.5) ? usualHeaders(token).length : random.below(usualHeaders(token).length);
      const headers = literalHeaders(usualHeaders(token).toSpliced(place, 0, extra));
      socket.write(PREFACE);
      socket.write(frame(FRAME.headers, END_HEADERS, 1, headers));
      socket.write(frame(FRAME.data, END_STREAM, 1, framed(sql(target.victim.session, "SELECT * FROM secret"))));
      const how = await answered({ heard, closed });
      return how === "answered" ? harmless("answered to its own user") : refused(how);
    },
  },
];
