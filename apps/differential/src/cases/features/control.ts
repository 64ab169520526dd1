import type { Draft } from "../draft.ts";

const PHASES = ["Running", "Succeeded", "Failed", "Pending"];

/** Existing drivers, for `--kill` and `--status`. */
function drivers(draft: Draft): void {
  const { dice, pods } = draft;
  for (const name of dice.some(["etl-a-driver", "etl-b-driver", "other-driver"], dice.pick([1, 2, 3])))
    pods.push({ name, phase: dice.pick(PHASES) });
}

function submissionId({ dice }: Draft): string {
  const usual = ["ref-ns:etl-a-driver", "ref-ns:etl-*", "etl-a-driver", "ref-ns:none", "elsewhere:etl-a-driver"];
  const odd = [
    "",
    ":",
    "ref-ns:",
    ":etl-a-driver",
    "a:b:c",
    "*",
    "ref-ns:*",
    "ref-ns:*-driver",
    "ref-ns:e*-driver",
    " ref-ns:etl-a-driver",
    "spark-1",
  ];
  return dice.mostly(usual, odd, 0.25);
}

export function kill(draft: Draft): void {
  draft.command = "spark-submit";
  drivers(draft);
  draft.flag("--kill", submissionId(draft));
  if (draft.dice.chance(0.3)) {
    const grace = draft.dice.mostly(["0", "5", "30"], ["-1", "abc", "", "1.5", "99999999999"], 0.2);
    draft.conf("spark.kubernetes.appKillPodDeletionGracePeriod", grace);
  }
  if (draft.dice.chance(0.9)) draft.app = [];
}

export function status(draft: Draft): void {
  draft.command = "spark-submit";
  drivers(draft);
  draft.flag("--status", submissionId(draft));
  if (draft.dice.chance(0.9)) draft.app = [];
}

/** Waits for a driver that has ended before its first status is read. */
export function wait(draft: Draft): void {
  const { dice } = draft;
  draft.command = "spark-submit";
  draft.waits = true;
  draft.driverEnds = dice.pick(["Succeeded", "Failed"]);
  if (dice.chance(0.5))
    draft.conf("spark.kubernetes.submission.waitAppCompletion", dice.mostly(["true"], ["TRUE", "yes", ""]));
  if (dice.chance(0.3))
    draft.conf("spark.kubernetes.report.interval", dice.mostly(["1s", "100ms", "5"], ["abc", "0", "-1s", ""]));
}

/** The class that a client-mode case runs: it prints its arguments and ends with a code of its own. */
export const PROBE_CLASS = "WarmSubmit$ClientProbe";

/**
 * Client mode, requested or as spark-submit's default. It belongs to the real spark-submit: its command line must reach it
 * unchanged.
 */
export function client(draft: Draft): void {
  const { dice } = draft;
  draft.command = dice.pick(["submit", "spark-submit"]);
  draft.isClient = true;
  draft.flags.push(["--class", PROBE_CLASS]);
  draft.app = ["local:///opt/x.jar", ...dice.pick([[], ["a"], ["a b", ""], ["--conf", "x"], ["\u00e9", "'", '"']])];
}
