import type { FaultKind } from "@kindling/operator/testing";
import { Random } from "@kindling/test-kit/random";
import { leftOut, type Row } from "../row.ts";
import { apiServerStage } from "./api-server-stage.ts";
import { embeddedStage } from "./embedded-stage.ts";
import type { OpenPlace } from "./place.ts";
import type { Played } from "./play-all.ts";
import { processRounds } from "./process-rounds.ts";
import { crashRounds } from "./rounds.ts";

const { KINDLING_BENCH_CRASHES, KINDLING_BENCH_REAL_CRASHES, KINDLING_BENCH_PROCESS_CRASHES } = process.env;
const PROCESS_ROUNDS = Number(KINDLING_BENCH_PROCESS_CRASHES ?? 100);
/** How many faults are shown. */
const SHOWN = 20;
const REAL = "API server of KUBECONFIG";

interface Cluster {
  readonly where: string;
  readonly open: OpenPlace;
  readonly count: number;
  readonly faster: number;
}

const EMBEDDED: Cluster = {
  where: "embedded cluster",
  open: embeddedStage,
  count: Number(KINDLING_BENCH_CRASHES ?? 1000),
  faster: 20,
};

function real(kubeconfig: string): Cluster {
  return {
    where: REAL,
    open: (faster) => apiServerStage(kubeconfig, faster),
    // A life takes twice as long here as on an embedded cluster.
    count: Number(KINDLING_BENCH_REAL_CRASHES ?? 400),
    // The pauses of 20 s must stay long enough for the test to do something in them.
    faster: 5,
  };
}

/** What happens when an operator is killed at any point, on both clusters. */
export async function faultRows(): Promise<Row[]> {
  const embedded = await rowsOf(EMBEDDED);
  const { KUBECONFIG } = process.env;
  if (KUBECONFIG === undefined)
    return [...embedded, leftOut(`${REAL}: lives of applications whose operator is killed`, "it names no cluster")];
  return [...embedded, ...(await rowsOf(real(KUBECONFIG)))];
}

async function rowsOf({ where, open, count, faster }: Cluster): Promise<Row[]> {
  const random = new Random(Date.now());
  const atRequests = await timed(() => crashRounds({ count, open, faster, random }));
  const atMoments = await timed(() => processRounds(PROCESS_ROUNDS, open, random));
  const rounds = [...atRequests.result, ...atMoments.result.rounds];
  const faults = rounds.flatMap((round) => round.faults);
  const texts = faults.map(({ kind, text }) => `${where}: ${kind}: ${text}\n`);
  process.stderr.write(texts.slice(0, SHOWN).join(""));
  const none = (what: string, ...kinds: readonly FaultKind[]): Row => {
    const found = faults.filter(({ kind }) => kinds.includes(kind)).length;
    return { what: `${where}: of these lives, ${what}`, found: String(found), wanted: "none", holds: found === 0 };
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

/** A death that several lives see counts once for each of them. */
function deathsIn(rounds: readonly Played[]): number {
  return rounds.reduce((sum, round) => sum + round.deaths, 0);
}

async function timed<T>(measure: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const began = performance.now();
  const result = await measure();
  return { result, seconds: Math.round((performance.now() - began) / 1000) };
}
