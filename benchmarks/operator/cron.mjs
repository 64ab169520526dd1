// Whether schedules of Kindling's operator have the times that robfig/cron finds, which stock's operator follows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedQuestions } from "./cron/generated-questions.mjs";
import { sourceModules } from "./source-modules.mjs";

const PROGRAM = fileURLToPath(new URL("./cron/", import.meta.url));
const HOW_MANY = 5;
/** Of both sides; the same for both. */
const LOCAL_ZONE = "UTC";

/**
 * Compares the next five times of each schedule, or that it is refused and with which words. Needs Go, and on both sides
 * the same release of the time zone database: differences of other releases are those of the database.
 *
 * @param {object} [options]
 * @param {number} [options.count] how many schedules
 * @param {number} [options.seed] of the generator
 * @returns {Promise<{
 *   schedules: number, refused: number, times: number, withoutEnd: number,
 *   differences: {question: object, ours: object, theirs: object}[],
 *   milliseconds: {ours: number, theirs: number}, database: {node: string, go: string},
 * }>} `times` is how many were compared, `withoutEnd` how many schedules have fewer than five
 */
export async function compareCron({ count = 10_000, seed = 1 } = {}) {
  const modules = await sourceModules([
    "schedule/cron/parse-schedule.ts",
    "schedule/cron/next-time.ts",
    "schedule/cron/time-zones.ts",
  ]);
  const questions = generatedQuestions(count, seed);
  const theirs = answersOfRobfig(questions);
  const answer = answerer(modules);
  const start = performance.now();
  const ours = questions.map(answer);
  const milliseconds = { ours: Math.round(performance.now() - start), theirs: theirs.milliseconds };
  const differences = questions.flatMap((question, index) =>
    isSame(ours[index], theirs.answers[index]) ? [] : [{ question, ours: ours[index], theirs: theirs.answers[index] }],
  );
  const followed = theirs.answers.filter(({ error }) => error === undefined);
  return {
    schedules: count,
    refused: count - followed.length,
    times: followed.reduce((sum, { times }) => sum + times.length, 0),
    withoutEnd: followed.filter(({ times }) => times.length < HOW_MANY).length,
    differences,
    milliseconds,
    database: { node: process.versions.tz, go: theirs.database },
  };
}

/** Ours says besides in which field something is wrong. Where robfig/cron panics, it has no words. */
function isSame(ours, theirs) {
  if (theirs.error?.startsWith("panic: ")) return ours.error !== undefined;
  if (theirs.error !== undefined) return ours.error?.startsWith(inWords(theirs.error)) ?? false;
  return ours.error === undefined && JSON.stringify(ours.times) === JSON.stringify(theirs.times);
}

/** Go's messages show the bytes of what is not ASCII, and how its files lack a zone. */
function inWords(error) {
  return error
    .replaceAll("\\xc2\\xb5", "\u00b5")
    .replace(/is a directory$|time: invalid location name$/, "unknown time zone");
}

function answerer({ parseSchedule, nextTime, createTimeZones }) {
  const zones = createTimeZones(LOCAL_ZONE);
  return ({ schedule: text, zone: name, after }) => {
    const zone = name === "" ? zones.local : zones.find(name);
    if (zone === undefined) return { error: `Invalid timezone: unknown time zone ${name}` };
    try {
      const schedule = parseSchedule(text, { zone, zones });
      const times = [];
      for (let next = nextTime(schedule, after); next !== undefined; next = nextTime(schedule, next)) {
        if (times.push(next) === HOW_MANY) break;
      }
      return { times };
    } catch (error) {
      return { error: error.message };
    }
  };
}

function answersOfRobfig(questions) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-cron-"));
  try {
    const program = join(folder, "answers");
    execFileSync("go", ["build", "-o", program, "."], { cwd: PROGRAM, stdio: ["ignore", 2, "inherit"] });
    const root = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
    // The database of Go itself, not of the machine.
    const env = { ZONEINFO: join(root, "lib/time/zoneinfo.zip"), TZ: LOCAL_ZONE };
    const input = questions.map((question) => JSON.stringify(question)).join("\n");
    const start = performance.now();
    const output = execFileSync(program, { input, env, encoding: "utf8", maxBuffer: 2 ** 30, timeout: 600_000 });
    const milliseconds = Math.round(performance.now() - start);
    const [, database] = /^DATA=(.*)$/m.exec(readFileSync(join(root, "lib/time/update.bash"), "utf8"));
    return {
      answers: output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
      milliseconds,
      database,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
