import { customResources } from "@kindling/spark-application";
import type { SeenNamespace } from "./bystander.ts";
import { judged, type RoundFault } from "./judge-life.ts";
import type { Life } from "./lives.ts";
import { NAME, personWith } from "./person.ts";
import type { Stage } from "./stage.ts";

/** How long a life, or the end of what is left of it, may take, in milliseconds of the real time. */
const PATIENCE_MS = 60_000;

/** Has an application live in a namespace that nothing else is in, removes it, and tells what was wrong with it, whoever operates. */
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

/** @returns whether something came to pass in time */
async function inTime(happening: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([happening.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
