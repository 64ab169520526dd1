import type { Step } from "@kindling/core-spec";
import { keepsShuffle, shuffleEntries, shuffleServer } from "@kindling/steps";
import { confOf, type PlanInput } from "./plan-input.ts";

/** A submission whose executors leave their shuffle files behind, if its configuration says so. */
export interface KeptShuffleInput {
  /** The input with the configuration that this needs. */
  readonly input: PlanInput;
  /** The step that adds a shuffle server to executors. */
  readonly step: Step | undefined;
}

/** @throws KindlingError `CONF_CONFLICT` or `CONF_MISSING` if that cannot work with the rest of the configuration */
export function keptShuffleInput(given: PlanInput): KeptShuffleInput {
  const conf = confOf(given);
  if (!keepsShuffle(conf)) return { input: given, step: undefined };
  return { input: { ...given, entries: { ...given.entries, ...shuffleEntries(conf) } }, step: shuffleServer };
}
