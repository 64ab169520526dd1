// Whether schedules of Kindling's operator have the same times as in robfig/cron, which the stock operator uses.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createTimeZones, nextTime, parseSchedule, type TimeZones } from "@kindling/operator/testing";
import { PLACES } from "../repository.ts";
import { generatedQuestions, type ScheduleQuestion } from "./generated-questions.ts";

const HOW_MANY = 5;
/** The local zone of both sides. */
const LOCAL_ZONE = "UTC";

/** The times that were found, or why none were looked for. */
interface Answer {
  readonly error?: string;
  readonly times: readonly number[];
}

interface CronDifference {
  readonly question: ScheduleQuestion;
  readonly ours: Answer;
  readonly theirs: Answer | undefined;
}

export interface ComparedCron {
  readonly schedules: number;
  readonly refused: number;
  /** How many times were compared. */
  readonly times: number;
  /** How many schedules have fewer than five times. */
  readonly withoutEnd: number;
  readonly differences: readonly CronDifference[];
  readonly milliseconds: { readonly ours: number; readonly theirs: number };
  /** Releases of the time zone database. */
  readonly database: { readonly node: string | undefined; readonly go: string | undefined };
}

export interface CronOptions {
  /** How many schedules. */
  readonly count?: number;
  /** The seed of the generator. */
  readonly seed?: number;
}

/**
 * Compares the next five times of each schedule, or, if it is refused, the messages. Needs Go. Both sides must have the same
 * release of the time zone database; otherwise the differences come from the database.
 */
export function compareCron({ count = 10_000, seed = 1 }: CronOptions = {}): ComparedCron {
  const questions = generatedQuestions(count, seed);
  const theirs = answersOfRobfig(questions);
  const zones = createTimeZones(LOCAL_ZONE);
  const start = performance.now();
  const ours = questions.map((question) => answerOfOurs(question, zones));
  const milliseconds = { ours: Math.round(performance.now() - start), theirs: theirs.milliseconds };
  const followed = theirs.answers.filter(({ error }) => error === undefined);
  return {
    schedules: count,
    refused: count - followed.length,
    times: followed.reduce((sum, { times }) => sum + times.length, 0),
    withoutEnd: followed.filter(({ times }) => times.length < HOW_MANY).length,
    differences: ours.flatMap((answer, index) => differencesOf(questions[index], answer, theirs.answers[index])),
    milliseconds,
    database: { node: process.versions["tz"], go: theirs.database },
  };
}

function differencesOf(
  question: ScheduleQuestion | undefined,
  ours: Answer,
  theirs: Answer | undefined,
): CronDifference[] {
  if (question === undefined || (theirs !== undefined && isSame(ours, theirs))) return [];
  return [{ question, ours, theirs }];
}

/** Our message also names the field that is wrong. Where robfig/cron panics, it has no message to compare. */
function isSame(ours: Answer, theirs: Answer): boolean {
  if (theirs.error === undefined) return ours.error === undefined && isDeepStrictEqual(ours.times, theirs.times);
  if (theirs.error.startsWith("panic: ")) return ours.error !== undefined;
  return ours.error?.startsWith(inWords(theirs.error)) ?? false;
}

/** Go's messages show non-ASCII characters as bytes. For an unknown zone they show the error of Go's files. */
function inWords(error: string): string {
  return error
    .replaceAll("\\xc2\\xb5", "\u00b5")
    .replace(/is a directory$|time: invalid location name$/, "unknown time zone");
}

function answerOfOurs({ schedule: text, zone: name, after }: ScheduleQuestion, zones: TimeZones): Answer {
  const zone = name === "" ? zones.local : zones.find(name);
  if (zone === undefined) return { error: `Invalid timezone: unknown time zone ${name}`, times: [] };
  try {
    const schedule = parseSchedule(text, { zone, zones });
    const times: number[] = [];
    for (let next = nextTime(schedule, after); next !== undefined; next = nextTime(schedule, next)) {
      if (times.push(next) === HOW_MANY) break;
    }
    return { times };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: error.message, times: [] };
  }
}

function answersOfRobfig(questions: readonly ScheduleQuestion[]) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-cron-"));
  try {
    const program = join(folder, "answers");
    execFileSync("go", ["build", "-o", program, "."], { cwd: PLACES.robfigCron, stdio: ["ignore", 2, "inherit"] });
    const root = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
    // The database that comes with Go, not the one of the operating system.
    const env = { ZONEINFO: join(root, "lib/time/zoneinfo.zip"), TZ: LOCAL_ZONE };
    const input = questions.map((question) => JSON.stringify(question)).join("\n");
    const start = performance.now();
    const output = execFileSync(program, { input, env, encoding: "utf8", maxBuffer: 2 ** 30, timeout: 600_000 });
    const milliseconds = Math.round(performance.now() - start);
    const [, database] = /^DATA=(.*)$/m.exec(readFileSync(join(root, "lib/time/update.bash"), "utf8")) ?? [];
    const answers = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Answer);
    return { answers, milliseconds, database };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
