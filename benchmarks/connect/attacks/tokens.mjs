// @ts-check
// Attacks by people without a valid token, and by those whose token is taken back.
import { createHash, randomBytes } from "node:crypto";
import { framed } from "@kindling/test-kit/connect-messages";
import { refused, refusedWith, through } from "./judgement.mjs";
import { bare, getAllConfig, reattach, sql } from "./requests.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const UNAUTHENTICATED = "16";
const GUESSES = 600;
const encoded = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * A call about the victim's session with this token.
 *
 * @param {Means} means
 * @param {string} token none: ""
 * @param {Readonly<Record<string, string>>} headers
 */
async function callWith({ caller, target, random }, token, headers = {}) {
  const { session, operation } = target.victim;
  const [method, body] = random.pick([
    ["ExecutePlan", sql(session, "SELECT * FROM secret")],
    ["ReattachExecute", reattach(session, operation())],
    ["Config", getAllConfig(session)],
    ["ReleaseSession", bare(session)],
  ]);
  return refusedWith(await caller(token).call(method, body, { headers }), UNAUTHENTICATED);
}

/** @param {string} token @param {Means["random"]} random */
function withOneChange(token, random) {
  const at = random.below(token.length);
  return `${token.slice(0, at)}${token[at] === "x" ? "y" : "x"}${token.slice(at + 1)}`;
}

/** @type {readonly Kind[]} */
export const TOKEN_KINDS = [
  { name: "no token", weight: 2, act: (means) => callWith(means, "") },
  {
    name: "a guessed token",
    weight: 3,
    act: (means) => callWith(means, randomBytes(1 + means.random.below(64)).toString("base64url")),
  },
  {
    name: "the victim's token with another byte",
    weight: 4,
    act: (means) => callWith(means, withOneChange(means.target.victim.token, means.random)),
  },
  {
    name: "the victim's token with more or less",
    weight: 3,
    act(means) {
      const { token } = means.target.victim;
      return callWith(
        means,
        means.random.pick([`${token}x`, `x${token}`, token.slice(1), token.slice(0, -1), `${token},`]),
      );
    },
  },
  {
    name: "the hash of the victim's token",
    weight: 1,
    act: (means) => callWith(means, createHash("sha256").update(means.target.victim.token).digest("hex")),
  },
  {
    name: "a JSON Web Token with a wrong signature, or none",
    weight: 3,
    act(means) {
      const claims = encoded({ sub: "somebody", aud: "kindling-connect", exp: 4_000_000_000 });
      const signature = randomBytes(64).toString("base64url");
      const token = means.random.pick([
        `${encoded({ alg: "none", typ: "JWT" })}.${claims}.`,
        `${encoded({ alg: "RS256", kid: "../../dev/null" })}.${claims}.${signature}`,
        `${encoded({ alg: "HS256" })}.${claims}.${signature}`,
      ]);
      return callWith(means, token);
    },
  },
  {
    name: "credentials of another kind",
    weight: 3,
    act(means) {
      const { token } = means.target.victim;
      const headers = means.random.pick([
        { authorization: `Basic ${Buffer.from(`somebody:${token}`).toString("base64")}` },
        { authorization: "Bearer " },
        { authorization: token },
        { "proxy-authorization": `Bearer ${token}` },
        { cookie: `token=${token}; authorization=Bearer ${token}` },
        { "x-forwarded-user": "somebody", "x-remote-user": "somebody" },
        { "x-forwarded-client-cert": "Subject=CN=somebody" },
      ]);
      return callWith(means, "", headers);
    },
  },
  { name: "a token of 20,000 bytes", weight: 1, act: (means) => callWith(means, "x".repeat(20_000)) },
  {
    name: "many guesses on one connection",
    weight: 1,
    async act({ caller, target }) {
      const client = caller("guess");
      const ends = await Promise.all(
        Array.from({ length: GUESSES }, (_, count) =>
          client
            .call("Config", getAllConfig(target.victim.session), { token: `guess-${count}` })
            .catch(() => undefined),
        ),
      );
      if (ends.some((ended) => ended?.status === "0")) return through("a guess was accepted");
      return client.session.destroyed ? refused("the connection was cut") : through("the connection is still there");
    },
  },
  {
    name: "a token that is taken back in the middle of a stream",
    weight: 2,
    async act({ caller, target }) {
      const leaver = target.leaver();
      const { stream, ended } = caller(leaver.token).begin("ExecutePlan");
      const begun = new Promise((resolve) => stream.once("data", resolve).once("close", resolve));
      stream.end(framed(sql(target.victim.session, "SELECT java_method('java.lang.Thread', 'sleep', 20000L)")));
      await begun;
      leaver.revoke();
      return refusedWith(await ended, UNAUTHENTICATED);
    },
  },
];
