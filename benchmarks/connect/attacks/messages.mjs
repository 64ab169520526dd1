// @ts-check
// Attacks with messages and calls that are none.
import { randomBytes } from "node:crypto";
import { framed, message, request } from "@kindling/test-kit/connect-messages";
import { ownOrRefused, refusedWith } from "./judgement.mjs";
import { sql } from "./requests.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const [INVALID, LATE, TOO_LARGE, UNIMPLEMENTED] = ["3", "4", "8", "12"];
const METHODS = ["ExecutePlan", "AnalyzePlan", "Config", "AddArtifacts", "Interrupt", "ReleaseSession", "CloneSession"];
const SERVICE = "/spark.connect.SparkConnectService/";
const PATHS = [
  "/",
  "*",
  SERVICE,
  `${SERVICE}Nothing`,
  `${SERVICE}config`,
  `${SERVICE}Config/`,
  `${SERVICE}Config?profile=few`,
  `${SERVICE}../spark.connect.SparkConnectService/Config`,
  `${SERVICE}%43onfig`,
  `${SERVICE}Config%00`,
  `/${SERVICE}Config`,
  `https://localhost${SERVICE}Config`,
  "/spark.connect.sparkconnectservice/Config",
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  "/grpc.health.v1.Health/Watch",
  "/grpc.health.v1.Health/Check/../../spark.connect.SparkConnectService/Config",
  "/../../../../etc/passwd",
  "/metrics",
  "/healthz",
  "/__proto__",
  `/${"x".repeat(8000)}`,
];
const CONTENT_TYPES = ["text/html", "application/json", "application/x-protobuf", "multipart/form-data", "grpc", "*/*"];

/** @param {number} length @param {Buffer} body */
function claiming(length, body) {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, body]);
}

/**
 * A call of any method whose body is this. It may end the attacker's own session.
 *
 * @param {string} name
 * @param {number} weight
 * @param {(honest: Buffer, random: Means["random"]) => Buffer} write makes it of an honest message
 * @param {typeof ownOrRefused} judge
 * @returns {Kind}
 */
function body(name, weight, write, judge) {
  return {
    name,
    weight,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.givers);
      const honest = sql(target.victim.session, "SELECT * FROM secret");
      return judge(await caller(token).call(random.pick(METHODS), honest, { body: write(honest, random) }));
    },
  };
}

/**
 * A call with other headers.
 *
 * @param {string} name
 * @param {number} weight
 * @param {(random: Means["random"]) => import("./means.mjs").CallOptions} options
 * @param {string} status
 * @returns {Kind}
 */
function headed(name, weight, options, status) {
  return {
    name,
    weight,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const honest = sql(target.victim.session, "SELECT * FROM secret");
      return refusedWith(await caller(token).call("ExecutePlan", honest, options(random)), status);
    },
  };
}

/** @param {...string} statuses @returns {typeof ownOrRefused} */
const only =
  (...statuses) =>
  (ended) =>
    refusedWith(ended, ...statuses);

/** @type {readonly Kind[]} */
export const MESSAGE_KINDS = [
  body(
    "half a message",
    4,
    (honest, random) => framed(honest).subarray(0, random.below(honest.length + 5)),
    only(INVALID),
  ),
  body(
    "a message that is too long",
    3,
    (honest, random) => claiming(0x0800_0001 + random.below(0xf000_0000), honest),
    only(TOO_LARGE),
  ),
  body(
    "a length that promises more",
    3,
    (honest, random) => claiming(honest.length + 1 + random.below(1_000_000), honest),
    only(INVALID),
  ),
  body(
    "a length that promises less",
    3,
    (honest, random) => claiming(random.below(honest.length), honest),
    ownOrRefused,
  ),
  body(
    "a compressed message",
    3,
    (honest, random) => Buffer.concat([Buffer.from([1 + random.below(255)]), framed(honest).subarray(1)]),
    only(UNIMPLEMENTED),
  ),
  body("an empty message", 1, () => framed(Buffer.alloc(0)), only(INVALID)),
  body("no message", 1, () => Buffer.alloc(0), only(INVALID)),
  body(
    "a session ID that is none",
    3,
    (_, random) =>
      framed(request(random.pick(["", "../../etc/passwd", "0", "null", "x".repeat(60_000), "\0".repeat(36)]))),
    only(INVALID),
  ),
  body(
    "a session behind much else",
    2,
    (honest) => framed(Buffer.concat([message([4, "x".repeat(70_000)]), honest])),
    ownOrRefused,
  ),
  body("random bytes", 4, (_, random) => framed(randomBytes(1 + random.below(500))), only(INVALID)),
  body(
    "an honest beginning and random bytes",
    4,
    (honest, random) => framed(Buffer.concat([honest.subarray(0, 38), randomBytes(random.below(300))])),
    ownOrRefused,
  ),
  headed("a path of nothing", 6, (random) => ({ path: random.pick(PATHS) }), UNIMPLEMENTED),
  headed(
    "a content type that is not gRPC's",
    3,
    (random) => ({ headers: { "content-type": random.pick(CONTENT_TYPES) } }),
    INVALID,
  ),
  headed(
    "another method of HTTP",
    3,
    (random) => ({ headers: { ":method": random.pick(["GET", "PUT", "DELETE", "PATCH", "TRACE"]) } }),
    INVALID,
  ),
  {
    name: "half a message, and then nothing",
    weight: 2,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const honest = framed(sql(target.victim.session, "SELECT * FROM secret"));
      const { stream, ended } = caller(token).begin(random.pick(METHODS));
      stream.write(honest.subarray(0, random.below(40)));
      return refusedWith(await ended, LATE);
    },
  },
];
