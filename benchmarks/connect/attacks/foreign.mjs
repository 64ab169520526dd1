// @ts-check
// Attacks by users with a valid token on the session and the operations of another user: they write the victim's IDs and name.
import { randomUUID } from "node:crypto";
import { fieldsOf } from "@kindling/test-kit/connect-messages";
import { harmless, ownOrRefused, refused, refusedAnyhow, through } from "./judgement.mjs";
import { SECRET_KEY } from "./victim.mjs";
import * as requests from "./requests.mjs";

/** @typedef {import("./means.mjs").Means} Means */
/** @typedef {import("./means.mjs").Kind} Kind */

const QUERIES = [
  "SELECT * FROM secret",
  "SELECT secret FROM secret",
  "SHOW VIEWS",
  "SHOW TABLES",
  "DESCRIBE TABLE EXTENDED secret",
  "EXPLAIN EXTENDED SELECT * FROM secret",
  "DROP VIEW secret",
  "CREATE OR REPLACE TEMPORARY VIEW secret AS SELECT 'stolen' AS secret",
  "ALTER VIEW secret AS SELECT 'stolen' AS secret",
  "CACHE TABLE secret",
  "CLEAR CACHE",
  "SET",
  "SET -v",
  `SET ${SECRET_KEY}`,
  `SET ${SECRET_KEY}=stolen`,
  "RESET",
];

/**
 * Calls as one of these attackers. That the victim is unharmed is seen in the victim's own queries.
 *
 * @param {string} name
 * @param {number} weight
 * @param {string} method
 * @param {(target: Means["target"], random: Means["random"]) => Buffer} write
 * @param {{ judge?: typeof ownOrRefused, by?: keyof Means["target"]["attackers"] }} [options]
 * @returns {Kind}
 */
function foreign(name, weight, method, write, { judge = ownOrRefused, by = "strangers" } = {}) {
  return {
    name,
    weight,
    async act({ caller, target, random }) {
      const { token } = random.pick(target.attackers[by]);
      return judge(await caller(token).call(method, write(target, random)));
    },
  };
}

/** @type {typeof ownOrRefused} */
function fileIsHidden({ status, body }) {
  if (status !== "0") return refused(`status ${status}`);
  const entry = fieldsOf(fieldsOf(body.subarray(5)).get(1) ?? Buffer.alloc(0));
  return (entry.get(2)?.length ?? 0) === 0 ? harmless("it is not there") : through("the file was found");
}

/** @type {readonly Kind[]} */
export const FOREIGN_KINDS = [
  foreign("a query in another's session", 6, "ExecutePlan", ({ victim }, random) =>
    requests.sql(victim.session, random.pick(QUERIES)),
  ),
  foreign(
    "the same operation ID",
    3,
    "ExecutePlan",
    ({ victim }) => requests.operationOf(victim.session, "SELECT * FROM secret", victim.operation()),
    // Those who attach to the victim's operation would find this one, which is their own.
    { by: "givers" },
  ),
  foreign(
    "attaching to another's operation",
    6,
    "ReattachExecute",
    ({ victim }) => requests.reattach(victim.session, victim.operation()),
    { judge: refusedAnyhow },
  ),
  foreign("releasing another's operation", 5, "ReleaseExecute", ({ victim }) =>
    requests.release(victim.session, victim.operation()),
  ),
  foreign(
    "interrupting another's operation",
    5,
    "Interrupt",
    ({ victim }, random) => requests.interrupt(victim.session, random.chance(0.5) ? undefined : victim.operation()),
    { by: "givers" },
  ),
  foreign("settings of another's session", 6, "Config", ({ victim: { session } }, random) =>
    random.pick([
      requests.getConfig(session, SECRET_KEY),
      requests.getAllConfig(session),
      requests.setConfig(session, SECRET_KEY, "stolen"),
      requests.setConfig(session, "spark.sql.ansi.enabled", "false"),
      requests.unsetConfig(session, SECRET_KEY),
    ]),
  ),
  foreign(
    "a file for another's session",
    4,
    "AddArtifacts",
    ({ victim: { session, artifact } }, random) =>
      requests.addArtifact(session, random.pick([artifact, "files/stolen.txt", "classes/Stolen.class"]), "stolen"),
    { by: "givers" },
  ),
  foreign(
    "files of another's session",
    4,
    "ArtifactStatus",
    ({ victim }) => requests.artifactStatus(victim.session, victim.artifact),
    { judge: fileIsHidden },
  ),
  foreign("the plan of another's view", 4, "AnalyzePlan", ({ victim }) =>
    requests.explain(victim.session, "SELECT * FROM secret"),
  ),
  foreign("details of another's error", 4, "FetchErrorDetails", ({ victim }) =>
    requests.errorDetails(victim.session, victim.errorId()),
  ),
  foreign("the state of another's session", 2, "GetStatus", ({ victim }) => requests.bare(victim.session)),
  foreign("releasing another's session", 4, "ReleaseSession", ({ victim }) => requests.bare(victim.session), {
    by: "releasers",
  }),
  {
    name: "a copy of another's session",
    weight: 3,
    async act({ caller, target, random }) {
      const client = caller(random.pick(target.attackers.strangers).token);
      const copy = randomUUID();
      const cloned = await client.call("CloneSession", requests.clone(target.victim.session, copy));
      const asked = await client.call("ExecutePlan", requests.sql(copy, "SELECT * FROM secret"));
      await client.call("ReleaseSession", requests.bare(copy));
      return asked.status === "0" && asked.body.includes(target.victim.marker)
        ? through("the copy has the victim's view")
        : ownOrRefused(cloned);
    },
  },
];
