import { leftOut } from "../load/row.mjs";
import { apiServerStage } from "./api-server-stage.mjs";
import { embeddedStage } from "./embedded-stage.mjs";
import { processRounds } from "./process-rounds.mjs";
import { crashRounds } from "./rounds.mjs";

const { KINDLING_BENCH_CRASHES, KINDLING_BENCH_REAL_CRASHES, KINDLING_BENCH_PROCESS_CRASHES } = process.env;
const PROCESS_ROUNDS = Number(KINDLING_BENCH_PROCESS_CRASHES ?? 100);
/** So many faults are shown. */
const SHOWN = 20;
const EMBEDDED = {
  where: "embedded cluster",
  cluster: embeddedStage,
  count: Number(KINDLING_BENCH_CRASHES ?? 1000),
  faster: 20,
};
const REAL = {
  where: "API server of KUBECONFIG",
  cluster: apiServerStage,
  // A life takes it twice as long as an embedded cluster.
  count: Number(KINDLING_BENCH_REAL_CRASHES ?? 400),
  // Somebody has to have the time to do something within a pause of 20 s.
  faster: 5,
};

/** Rows of a table that is judged: what comes of an operator that is killed wherever it is, on both clusters. */
export async function faultRows() {
  const embedded = await rowsOf(EMBEDDED);
  if (process.env.KUBECONFIG === undefined)
    return [
      ...embedded,
      leftOut(`${REAL.where}: lives of applications whose operator is killed`, "it names no cluster"),
    ];
  return [...embedded, ...(await rowsOf(REAL))];
}

async function rowsOf({ where, cluster, count, faster }) {
  const atRequests = await timed(() => crashRounds({ count, cluster, faster }));
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
