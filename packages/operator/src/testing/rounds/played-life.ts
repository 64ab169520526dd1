import { systemClock, within } from "@kindling/outside";
import { customResources } from "@kindling/spark-application";
import type { SeenNamespace } from "./seen-namespace.ts";
import { judged, type RoundFault } from "./judge-life.ts";
import type { Life } from "./lives.ts";
import { NAME, personWith } from "./person.ts";
import type { Stage } from "./stage.ts";

/** How long a life may take, and also the clean-up after it, in milliseconds of real time. */
const PATIENCE_MS = 120_000;

/**
 * Plays an application's life in an otherwise empty namespace, removes the application, and returns what was wrong. Any
 * operator may run.
 */
export async function playedLife(stage: Stage, namespace: string, life: Life): Promise<readonly RoundFault[]> {
  const { client, bystander } = stage;
  const faults: RoundFault[] = [];
  const isInTime = await inTime(life.live(personWith(stage, namespace)));
  const seen = bystander.seen(namespace);
  if (!isInTime) faults.push({ kind: "stuck", text: `it was ${seen.states.join(", ")}` });
  else faults.push(...judged(life, seen));
  if (seen.application !== undefined) await client.delete(customResources.sparkApplications, NAME, { namespace });
  const isGone = await inTime(
    Promise.all([stage.sweep(namespace), bystander.until(() => (isEmpty(seen) ? true : undefined))]),
  );
  if (!isGone) {
    const left = [...seen.there.values()].map(({ kind, name }) => `${kind}/${name}`);
    faults.push({ kind: "leftover", text: left.join(", ") });
  }
  return faults;
}

function isEmpty({ application, there }: SeenNamespace): boolean {
  return application === undefined && there.size === 0;
}

/** @returns whether it happened in time */
async function inTime(happening: Promise<unknown>): Promise<boolean> {
  const happened = happening.then(() => true);
  return await within(systemClock, PATIENCE_MS, happened, () => false);
}
