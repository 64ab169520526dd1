import { leftOut } from "../load/row.mjs";
import { apiServerStage } from "./api-server-stage.mjs";
import { embeddedStage } from "./embedded-stage.mjs";
import { processRounds } from "./process-rounds.mjs";
import { crashRounds } from "./rounds.mjs";

const ROUNDS = Number(process.env.KINDLING_BENCH_CRASHES ?? 1000);
const PROCESS_ROUNDS = Number(process.env.KINDLING_BENCH_PROCESS_CRASHES ?? 100);
/** So many faults are shown. */
const SHOWN = 20;
const EMBEDDED = "embedded cluster";
const REAL = "API server of KUBECONFIG";

/** Rows of a table that is judged: what comes of an operator that is killed wherever it is, on both clusters. */
export async function faultRows() {
  const embedded = await rowsOf(EMBEDDED, embeddedStage);
  if (process.env.KUBECONFIG === undefined)
    return [...embedded, leftOut(`${REAL}: lives of applications whose operator is killed`, "it names no cluster")];
  return [...embedded, ...(await rowsOf(REAL, apiServerStage))];
}

async function rowsOf(where, cluster) {
  const atRequests = await timed(() => crashRounds({ count: ROUNDS, cluster }));
  const atMoments = await timed(() => processRounds({ count: PROCESS_ROUNDS, cluster }));
  const rounds = [...atRequests.result, ...atMoments.result.rounds];
  const faults = rounds.flatMap((round) => round.faults);
  const texts = faults.map(({ kind, text }) => `${where}: ${kind}: ${text}\n`);
  process.stderr.write(texts.slice(0, SHOWN).join(""));
  const none = (what, ...kinds) => {
    const count = faults.filter(({ kind }) => kinds.includes(kind)).length;
    return { what: `${where}: of these lives, ${what}`, found: String(count), wanted: "none", holds: count === 0 };
  };
  return [
    {
      what: `${where}: lives of applications whose operator is killed at one of its requests`,
      found: `${atRequests.result.length} in ${atRequests.seconds} s, killed ${deathsIn(atRequests.result)} times`,
    },
    {
      what: `${where}: others, whose operator is a process that is killed at any moment`,
      found: `${atMoments.result.rounds.length} in ${atMoments.seconds} s, killed ${atMoments.result.deaths} times: ${deathsIn(atMoments.result.rounds)} times a life under way`,
    },
    none("with a driver too many, or too few", "double driver", "no driver"),
    none("that failed, or came to no end, without a cause", "false failure", "stuck"),
    none("with attempts that are counted wrong", "wrong attempts"),
    none("with other names, or with something left behind", "other name", "leftover"),
  ];
}

/** A death that several lives see counts for each of them. */
function deathsIn(rounds) {
  return rounds.reduce((sum, round) => sum + round.deaths, 0);
}

async function timed(measure) {
  const began = performance.now();
  const result = await measure();
  return { result, seconds: Math.round((performance.now() - began) / 1000) };
}
