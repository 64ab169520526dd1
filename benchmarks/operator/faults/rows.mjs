import { embeddedStage } from "./embedded-stage.mjs";
import { crashRounds } from "./rounds.mjs";

const ROUNDS = Number(process.env.KINDLING_BENCH_CRASHES ?? 1000);
/** So many faults are shown. */
const SHOWN = 20;

/** Rows of a table that is judged: what comes of an operator that is killed at any of its requests. */
export async function faultRows() {
  const found = await crashRounds({ rounds: ROUNDS, cluster: embeddedStage });
  if (found.faults.length > 0) process.stderr.write(`${found.faults.slice(0, SHOWN).join("\n")}\n`);
  const none = (what, count) => ({ what, found: String(count), wanted: "none", holds: count === 0 });
  return [
    { what: "lives of applications whose operator is killed", found: `${found.rounds}, ${found.deaths} times in all` },
    none("of them with a driver too many, or too few", found.doubleDrivers),
    none("of them that failed, or came to no end, without a cause", found.falseFailures),
    none("of them with attempts that are counted wrong", found.wrongAttempts),
    none("of them with other names, or with something left behind", found.others),
  ];
}
