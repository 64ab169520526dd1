// @ts-check
// Attacks by users with a valid token who write another user into their requests, in all the ways that Protobuf allows and some
// that it does not.
import { randomUUID } from "node:crypto";
import { framed, message } from "@kindling/test-kit/connect-messages";
import { USER } from "../service.mjs";
import { harmless, ownOrRefused, refusedWith, through } from "./judgement.mjs";
import { addArtifact, artifactStatus, sql } from "./requests.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const INVALID = "3";
const context = message([2, message([1, USER], [2, USER])]);
const inner = message([1, USER]);

/** Bytes behind a request that readers of Protobuf accept, each another way to write the user or the session again. */
const READABLE = [
  Buffer.alloc(0),
  context,
  Buffer.concat([context, context, context]),
  // The field's number, and its length, in more bytes than they need.
  Buffer.concat([Buffer.from([0x92, 0x80, 0x00, inner.length]), inner]),
  Buffer.concat([Buffer.from([0x12, 0x80 + inner.length, 0x80, 0x00]), inner]),
  // Merged with the context before it.
  message([2, message([2, USER])]),
  message([2, message([1000, "x"], [1, USER])]),
  // Fields that no server knows.
  Buffer.concat([message([2000, "x"]), context, message([2001, 7])]),
];

/** Bytes behind a request that would swallow what is put behind them, or hide a field from some readers. */
const UNREADABLE = [
  Buffer.from([0x22, 0x60]),
  Buffer.from([0x12, 0x60]),
  Buffer.from([0x0a, 0xff, 0x01]),
  Buffer.concat([Buffer.from([0x0b]), context, Buffer.from([0x0c])]),
  Buffer.concat([Buffer.from([0x13]), context]),
  // Field 2 for a reader that keeps 32 bits of the tag.
  Buffer.concat([Buffer.from([0x92, 0x80, 0x80, 0x80, 0x10, inner.length]), inner]),
  Buffer.from([0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
  Buffer.from([0x80]),
  Buffer.from([0x00, 0x01]),
  Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]),
];

/** @type {readonly Kind[]} */
export const IDENTITY_KINDS = [
  {
    name: "another user in the request",
    weight: 6,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const body = Buffer.concat([sql(target.victim.session, "SELECT secret FROM secret"), random.pick(READABLE)]);
      return ownOrRefused(await caller(token).call("ExecutePlan", body));
    },
  },
  {
    // The view is there only for the attacker, so the answer shows which user the driver was told.
    name: "another user in the request, asked who it is",
    weight: 8,
    async act({ caller, target, random }) {
      const { name, token } = random.pick(target.attackers.strangers);
      const body = Buffer.concat([sql(target.victim.session, "SELECT word FROM mine"), random.pick(READABLE)]);
      const ended = await caller(token).call("ExecutePlan", body);
      if (ended.body.includes(`word-of-${name}`)) return harmless("the driver was told the true user");
      return through(`the driver was told somebody else: ${ended.status} ${ended.message}`);
    },
  },
  {
    name: "another user in fields that swallow or hide",
    weight: 6,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const body = Buffer.concat([sql(target.victim.session, "SELECT * FROM secret"), random.pick(UNREADABLE)]);
      return refusedWith(await caller(token).call("ExecutePlan", body), INVALID);
    },
  },
  {
    name: "another session at the end of the request",
    weight: 3,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.strangers);
      const body = Buffer.concat([sql(target.victim.session, "SELECT * FROM secret"), message([1, randomUUID()])]);
      return ownOrRefused(await caller(token).call("ExecutePlan", body));
    },
  },
  {
    name: "a second message in the name of another",
    weight: 3,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers.givers);
      const { session, artifact } = target.victim;
      const client = caller(token);
      const [method, first, second] = random.pick([
        ["AddArtifacts", addArtifact(session, "files/mine.txt", "mine"), addArtifact(session, artifact, "stolen")],
        ["ExecutePlan", sql(session, "SELECT 1"), sql(session, "SELECT * FROM secret")],
        ["ArtifactStatus", artifactStatus(session, "cache/none"), artifactStatus(session, artifact)],
      ]);
      return ownOrRefused(await client.call(method, first, { body: Buffer.concat([framed(first), framed(second)]) }));
    },
  },
];
