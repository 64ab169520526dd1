import type { Stage } from "@kindling/recorder-client";
import type { Change } from "./change.ts";

/**
 * How many seconds executors spent on the stages of a name, in two runs; those first whose times differ most. The ids of stages are
 * different in each run, and their names are where in the application they come from. Pure.
 */
export function stageChanges(before: readonly Stage[], after: readonly Stage[]): readonly Change[] {
  const [old, current] = [secondsByName(before), secondsByName(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name): Change => ({ name, before: old.get(name), after: current.get(name) }))
    .toSorted((a, b) => differenceOf(b) - differenceOf(a));
}

function secondsByName(stages: readonly Stage[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { name, executorTime } of stages) times.set(name, (times.get(name) ?? 0) + executorTime);
  return new Map(Array.from(times, ([name, time]) => [name, Math.round(time / 100) / 10]));
}

function differenceOf({ before, after }: Change): number {
  return Math.abs(Number(after ?? 0) - Number(before ?? 0));
}
