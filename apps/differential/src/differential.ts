import type { Case } from "./cases/case.ts";
import { generateCase, type GenerateOptions } from "./cases/generate.ts";
import { compare, verdictOf } from "./compare/compare.ts";
import type { Difference } from "./compare/difference.ts";
import { explain } from "./compare/explained.ts";
import { kindOf } from "./compare/kind.ts";
import { subjectsOf } from "./compare/refusals.ts";
import type { Bench } from "./run/bench.ts";
import type { Outcome } from "./run/side.ts";
import { shrink } from "./shrink/shrink.ts";

export interface Judged {
  readonly kase: Case;
  readonly real: Outcome;
  readonly ours: Outcome;
  /** Differences without an explanation. */
  readonly unexplained: readonly Difference[];
  readonly reasons: readonly string[];
}

/** A kind of difference, and where it was first found. */
export interface NewKind {
  readonly kind: string;
  readonly sparkVersion: string;
  readonly name: string;
  readonly smallest: Case;
  readonly differences: readonly Difference[];
}

export interface Tally {
  equal: number;
  refused: number;
  explained: number;
  unexplained: number;
}

export interface DifferentialOptions extends GenerateOptions {
  readonly seed: number;
  readonly indices: readonly number[];
  readonly shrinks: boolean;
  onCase(done: number): void;
  onKind(kind: NewKind): void;
}

/** Runs cases on one Spark and Kindling, and reports each new kind of difference. */
export async function differential(bench: Bench, options: DifferentialOptions): Promise<Tally> {
  const tally: Tally = { equal: 0, refused: 0, explained: 0, unexplained: 0 };
  const kinds = new Set<string>();
  for (const [done, index] of options.indices.entries()) {
    const judged = await judge(bench, generateCase(options.seed, index, options));
    const [first] = judged.unexplained;
    if (first !== undefined) {
      const kind = kindOf(first);
      if (await isOrderOfFaults(bench, judged)) tally.refused += 1;
      else {
        tally.unexplained += 1;
        if (!kinds.has(kind)) options.onKind(await newKind(bench, judged, kind, options.shrinks));
        kinds.add(kind);
      }
    } else if (judged.reasons.length > 0) tally.explained += 1;
    else if (verdictOf(judged.real) === "equal") tally.equal += 1;
    else tally.refused += 1;
    options.onCase(done + 1);
  }
  return tally;
}

/** Runs one case on both sides. */
export async function judge(bench: Bench, kase: Case): Promise<Judged> {
  const { real, ours } = await bench.run(kase);
  const reasons = new Set<string>();
  const unexplained = compare(kase, real, ours).filter((difference) => {
    const reason = explain({ difference, real, ours, kase });
    if (reason !== undefined) reasons.add(reason);
    return reason === undefined;
  });
  return { kase, real, ours, unexplained, reasons: [...reasons] };
}

/**
 * Whether both refuse the case and only report different faults of several: then there is a smaller case with the fault that
 * spark-submit reports, and Kindling reports it too.
 */
async function isOrderOfFaults(bench: Bench, { kase, real, unexplained }: Judged): Promise<boolean> {
  if (unexplained.some(({ aspect }) => aspect !== "subject")) return false;
  const wanted = subjectsOf(real).join();
  let isFound = false;
  await shrink(kase, async (smaller) => {
    if (isFound) return false;
    const judged = await judge(bench, smaller);
    const isSame = judged.real.exit !== 0 && subjectsOf(judged.real).join() === wanted;
    isFound = isSame && judged.unexplained.length === 0;
    return isSame;
  });
  return isFound;
}

async function newKind(bench: Bench, judged: Judged, kind: string, shrinks: boolean): Promise<NewKind> {
  let { kase: smallest, unexplained: differences } = judged;
  if (shrinks) {
    smallest = await shrink(judged.kase, async (smaller) => {
      const { unexplained } = await judge(bench, smaller);
      const isSame = unexplained.some((difference) => kindOf(difference) === kind);
      if (isSame) differences = unexplained;
      return isSame;
    });
  }
  return { kind, sparkVersion: bench.sparkVersion, name: judged.kase.name, smallest, differences };
}
