import type { Term } from "@kindling/controller";
import { HeldDeletions } from "../controllers/held-deletions/held-deletions.ts";
import { openRecorder } from "../controllers/held-deletions/open-recorder.ts";
import { RecorderQuestions } from "../controllers/held-deletions/recorder-questions.ts";
import type { AssembleOptions } from "./assemble-options.ts";

/** Holds the deletions of ended executors' pods, if there is a recorder that reads their logs. */
export function holdDeletions(
  term: Term,
  { config, clock, log, cluster, metrics }: AssembleOptions,
): HeldDeletions | undefined {
  const recorder = openRecorder(config, clock);
  if (recorder === undefined) return undefined;
  term.onEnd(() => recorder.close());
  const questions = (): RecorderQuestions => new RecorderQuestions({ clock, log, ask: (pods) => recorder.ask(pods) });
  return new HeldDeletions(term, {
    ...{ clock, log, cluster, questions: questions(), runningQuestions: questions() },
    onReleased: (outcome, seconds) => metrics.heldDeletions.observe({ outcome }, seconds),
  });
}
