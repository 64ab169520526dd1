import { differences, type JsonObject } from "@kindling/recordings";
import type { Case } from "../cases/case.ts";
import { isBroken } from "../run/ran.ts";
import type { Outcome } from "../run/side.ts";
import type { Aspect, Difference } from "./difference.ts";
import { refusalDifferences, whatItSaid } from "./refusals.ts";

/** The result of a case without differences. */
export type Verdict = "equal" | "refused by both";

/** The differences between the two runs of a case. */
export function compare(kase: Case, real: Outcome, ours: Outcome): readonly Difference[] {
  const one = (aspect: Aspect, text: string): Difference[] => [{ aspect, text }];
  if (isBroken(real)) return one("harness", `spark-submit ended with ${real.exit}: ${real.err.slice(0, 400)}`);
  if (isBroken(ours)) return one("exit", `kindling ended with ${ours.exit}: ${ours.err.slice(0, 400)}`);
  const isClient = real.out.startsWith("client mode: ");
  if (isClient || ours.handedOver !== undefined) return clientDifferences(isClient, real, ours);
  if (real.exit !== 0 && ours.exit !== 0) return refusalDifferences(real, ours);
  if (real.exit !== 0)
    return one("exit", `spark-submit refuses it (${real.exit}), kindling does not: ${whatItSaid(real)}`);
  if (ours.exit !== 0)
    return one("exit", `kindling refuses it (${ours.exit}), spark-submit does not: ${whatItSaid(ours)}`);
  return [
    ...differences(asJson(real.objects), asJson(ours.objects)).map((text): Difference => ({ aspect: "objects", text })),
    ...listDifferences("properties", real.properties, ours.properties),
    ...listDifferences("deletions", real.deletions, ours.deletions),
    ...listDifferences("uploads", filesOf(real), filesOf(ours)),
    ...(kase.features.some((feature) => TOLD.has(feature))
      ? listDifferences("text", toldLines(real), toldLines(ours))
      : []),
  ];
}

export function verdictOf(real: Outcome): Verdict {
  return real.exit === 0 || real.out.startsWith("client mode: ") ? "equal" : "refused by both";
}

/** Features with a text as their result. */
const TOLD: ReadonlySet<string> = new Set(["kill", "status"]);

function clientDifferences(isClient: boolean, real: Outcome, ours: Outcome): Difference[] {
  const of = (text: string): Difference[] => [{ aspect: "client mode", text }];
  if (isClient && ours.handedOver === undefined)
    return of(`spark-submit runs it itself, kindling does not hand it over: ${whatItSaid(ours)}`);
  if (ours.handedOver === "changed") return of("it is not handed over as it was given");
  // If a command line is passed on and then refused, spark-submit refuses it.
  return isClient || real.exit !== 0 ? [] : of("kindling hands over what spark-submit submits");
}

function listDifferences(aspect: Aspect, want: readonly string[], got: readonly string[]): Difference[] {
  const [missing, extra] = [want.filter((line) => !got.includes(line)), got.filter((line) => !want.includes(line))];
  if (missing.length === 0 && extra.length === 0 && want.length === got.length) return [];
  const shown = (lines: readonly string[]): string => JSON.stringify(lines.slice(0, 3)).slice(0, 300);
  return [{ aspect, text: `only spark-submit ${shown(missing)}, only kindling ${shown(extra)}` }];
}

function filesOf({ uploads }: Outcome): string[] {
  return Object.entries(uploads).map(([name, text]) => `${name}: ${text}`);
}

// Spark's log lines, such as each state of a pod, begin with a time, or are warnings without a time while it reads the
// configuration. On a busy machine its client reports slow threads.
const LOGGED =
  /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d |^WARNING: |^Warning: Ignoring non-Spark config property: |^Using Spark's default log4j profile|^io\.vertx\.|^\s+at /;

function toldLines({ err, out }: Outcome): string[] {
  return `${err}\n${out}`.split("\n").filter((line) => line.trim() !== "" && !LOGGED.test(line));
}

function asJson(objects: Outcome["objects"]): JsonObject {
  return objects;
}
