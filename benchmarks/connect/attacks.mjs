// @ts-check
// A thousand attacks on a running service, and an honest user whose queries are right meanwhile.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConnectClient } from "@kindling/test-kit/connect-client";
import { framed } from "@kindling/test-kit/connect-messages";
import { residentMemory } from "@kindling/test-kit/process-usage";
import { Random } from "@kindling/test-kit/random";
import { amount } from "../harness/environment.mjs";
import { atLeast, atMost } from "../harness/judge.mjs";
import { CONNECTION_KINDS } from "./attacks/connections.mjs";
import { FOREIGN_KINDS } from "./attacks/foreign.mjs";
import { GREED_KINDS } from "./attacks/greed.mjs";
import { IDENTITY_KINDS } from "./attacks/identity.mjs";
import { through } from "./attacks/judgement.mjs";
import { meansOf } from "./attacks/means.mjs";
import { MESSAGE_KINDS } from "./attacks/messages.mjs";
import { PROFILE_KINDS } from "./attacks/profiles.mjs";
import { sql } from "./attacks/requests.mjs";
import { TOKEN_KINDS } from "./attacks/tokens.mjs";
import { openVictim } from "./attacks/victim.mjs";
import { USER } from "./service.mjs";
import { NAMESPACE, sparkProfile, withService } from "./with-service.mjs";

const KINDS = [
  ...TOKEN_KINDS,
  ...FOREIGN_KINDS,
  ...IDENTITY_KINDS,
  ...PROFILE_KINDS,
  ...MESSAGE_KINDS,
  ...CONNECTION_KINDS,
  ...GREED_KINDS,
];
const ATTACKS = amount("KINDLING_BENCH_ATTACKS", 1000);
const SEED = amount("KINDLING_BENCH_SEED", Date.now() % 1_000_000);
const AT_ONCE = 16;
/** Nothing is refused later than this. */
const DEADLINE_MS = 30_000;
const MEMORY_MIB = 256;
/** All users share one driver, so that the attackers' calls reach the victim's. Only the victim may use the other profile. */
const FIELDS = "    sharing: all\n";
const OTHER_PROFILE = `  few:\n    namespace: ${NAMESPACE}\n    image: none\n    access: {users: [${USER}]}\n`;
/** Short waits, and so many tasks at once that queries that sleep are in nobody's way. */
const SETTINGS = Object.entries({
  "--auth-cache": "1s",
  "--tls-reload-interval": "1s",
  "--limits-first-message": "8s",
  "--limits-reader-stall": "4s",
  "--limits-calls-per-user": "500",
}).flat();
const MORE_CONF = { "spark.executor.cores": "16" };

/** @typedef {import("./attacks/means.mjs").Kind} Kind */
/** @typedef {import("./attacks/means.mjs").Target} Target */
/** @typedef {import("./attacks/means.mjs").Attacker} Attacker */

/**
 * Attacks of all kinds on one service.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function attacks(context) {
  process.stderr.write(`the attacks have the seed ${SEED}\n`);
  const crowd = {
    ...{ strangers: some("stranger", 8), releasers: some("releaser", 8), givers: some("giver", 4) },
    ...{ greedy: some("greedy", 3), leavers: some("leaver", Math.ceil(ATTACKS / 10)) },
  };
  const everybody = Object.values(crowd).flat();
  const users = Object.fromEntries(everybody.map(({ name, token }) => [name, token]));
  const options = { profiles: `${sparkProfile(FIELDS, MORE_CONF)}${OTHER_PROFILE}`, users, settings: SETTINGS };
  return await withService(context, options, async ({ port, caFile, token, pid, setUsers }) => {
    const ca = readFileSync(caFile, "utf8");
    const victim = await openVictim({ port, ca, token });
    for (const stranger of crowd.strangers) await openView({ port, ca }, victim.session, stranger);
    const { leavers, ...attackers } = crowd;
    const target = { port, ca, victim, attackers, leaver: () => leaverOf(leavers, users, setUsers) };
    const found = await attackAll(target, drawn(new Random(SEED)));
    const honest = await victim.stop();
    return [
      atLeast(`attacks, of ${found.kinds} kinds`, found.attacks, "", ATTACKS),
      atMost("not refused, and not carried out as the attacker's own", found.through, "", 0),
      atMost("answers with another user's data", found.leaks, "", 0),
      atMost("honest queries that failed meanwhile", honest.failed, "", 0),
      {
        what: "honest queries that were right meanwhile",
        found: `${honest.right} in ${Math.round(honest.seconds)} s, the slowest in ${Math.round(honest.slowest)} ms`,
      },
      atMost("memory of kindling-connect after that", Math.round(residentMemory(pid())), "MiB", MEMORY_MIB),
    ];
  });
}

/** @param {string} name @param {number} count @returns {readonly Attacker[]} */
function some(name, count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index}`,
    token: randomBytes(24).toString("base64url"),
  }));
}

/**
 * A user whose token can be revoked.
 *
 * @param {readonly Attacker[]} leavers
 * @param {Record<string, string>} users
 * @param {(users: Readonly<Record<string, string>>) => void} setUsers
 */
function leaverOf(leavers, users, setUsers) {
  const leaver = leavers.find(({ name }) => name in users && !taken.has(name));
  if (leaver === undefined) throw new Error("there are too few users whose token can be revoked");
  taken.add(leaver.name);
  return {
    ...leaver,
    revoke() {
      delete users[leaver.name];
      setUsers(users);
    },
  };
}

/** @type {Set<string>} */
const taken = new Set();

/** @param {{ port: number, ca: string }} service @param {string} session @param {Attacker} attacker */
async function openView({ port, ca }, session, { name, token }) {
  const client = new ConnectClient(`https://localhost:${port}`, { ca, token });
  const body = framed(sql(session, `CREATE TEMPORARY VIEW mine AS SELECT 'word-of-${name}' AS word`));
  const { status, message } = await client.call("ExecutePlan", { body });
  client.close();
  if (status !== "0") throw new Error(`${name} has no session: ${status} ${message}`);
}

/** One of each kind, and then as their weights say. @param {Random} random @returns {readonly Kind[]} */
function drawn(random) {
  const sum = KINDS.reduce((all, { weight }) => all + weight, 0);
  const draw = () => {
    let left = random.fraction() * sum;
    return KINDS.find(({ weight }) => (left -= weight) < 0) ?? random.pick(KINDS);
  };
  const all = [...KINDS, ...Array.from({ length: Math.max(0, ATTACKS - KINDS.length) }, draw)];
  const order = all.map((kind) => ({ kind, at: random.fraction() })).toSorted((one, other) => one.at - other.at);
  return order.map(({ kind }) => kind).slice(0, ATTACKS);
}

/** @param {Target} target @param {readonly Kind[]} plan */
async function attackAll(target, plan) {
  const found = { attacks: 0, kinds: new Set(plan).size, through: 0, leaks: 0 };
  const left = plan.map((kind, index) => ({ kind, random: new Random(SEED + index + 1) }));
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { judgement, leaks } = await attackOnce(target, next.kind, next.random);
      found.attacks += 1;
      if (judgement.how === "through") found.through += 1;
      if (leaks) found.leaks += 1;
      if (judgement.how === "through" || leaks)
        process.stderr.write(
          `${next.kind.name}: ${leaks ? "the answer has the victim's data; " : ""}${judgement.why}\n`,
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** @param {Target} target @param {Kind} kind @param {Random} random */
async function attackOnce(target, kind, random) {
  const means = meansOf(target, random);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(through(`it was not over after ${DEADLINE_MS / 1000} s`)), DEADLINE_MS);
  });
  try {
    /** @type {import("./attacks/judgement.mjs").Judgement} */
    const judgement = await Promise.race([kind.act(means), late]);
    return { judgement, leaks: means.heard().includes(target.victim.marker) };
  } catch (error) {
    return { judgement: through(String(error)), leaks: means.heard().includes(target.victim.marker) };
  } finally {
    clearTimeout(timer);
    means.close();
  }
}
