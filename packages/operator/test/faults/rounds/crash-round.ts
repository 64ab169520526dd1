import { systemOutside } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { customResources } from "../../../src/act/custom-resources.ts";
import { startOperator } from "../../../src/operator.ts";
import { mortal, type Death } from "../../support/mortal-client.ts";
import { testSettings } from "../../support/test-settings.ts";
import { judged, type RoundFault } from "./judge-life.ts";
import type { Life } from "./lives.ts";
import { makeNamespace } from "./make-namespace.ts";
import { NAME, personWith } from "./person.ts";
import type { Stage } from "./stage.ts";

export interface Round {
  /** How many of the deaths came to pass. */
  readonly deaths: number;
  /** How many requests the last operator has made. */
  readonly requests: number;
  /** Of all events about the application, sorted. */
  readonly reasons: readonly string[];
  readonly faults: readonly RoundFault[];
}

/** How long a life, or the end of what is left of it, may take, in milliseconds of the real time. */
const PATIENCE_MS = 60_000;

/**
 * One life of an application in a namespace of its own, whose operator is killed, once for each of the deaths, and begins
 * again each time.
 */
export async function crashRound(
  stage: Stage,
  namespace: string,
  life: Life,
  deaths: readonly Death[],
): Promise<Round> {
  const { client, bystander } = stage;
  await makeNamespace(stage, namespace);
  const faults: RoundFault[] = [];
  const operators = operateAgainAndAgain(stage, namespace, deaths);
  const isInTime = await inTime(life.live(personWith(stage, namespace)));
  const seen = bystander.seen(namespace);
  if (!isInTime) faults.push({ kind: "stuck", text: `it was ${seen.states.join(", ")}` });
  else faults.push(...judged(life, seen));
  if (seen.application !== undefined) await client.delete(customResources.sparkApplications, NAME, { namespace });
  const isEmpty = await inTime(bystander.until(() => (seen.there.size === 0 ? true : undefined)));
  if (!isEmpty) {
    const left = [...seen.there.values()].map(({ kind, name }) => `${kind}/${name}`);
    faults.push({ kind: "leftover", text: left.join(", ") });
  }
  const { died, requests } = await operators.stop();
  await client.request({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
  const where = `${life.name}, ${deaths.map(textOf).join(" and ") || "nothing happens"}: `;
  return {
    ...{ deaths: died, requests, reasons: seen.reasons.toSorted() },
    faults: faults.map(({ kind, text }) => ({ kind, text: where + text })),
  };
}

function textOf({ atRequest, isSent }: Death): string {
  return `killed at request ${atRequest}, which is ${isSent ? "sent" : "not sent"}`;
}

/** One operator after the other, until there is no death any more. */
function operateAgainAndAgain(stage: Stage, namespace: string, deaths: readonly Death[]) {
  const settings = testSettings({ namespaces: [namespace] });
  const log = jsonLog({ write: () => undefined }, stage.clock, "error");
  let died = 0;
  let isOver = false;
  let current = operate(deaths);

  async function operate([death, ...further]: readonly Death[]) {
    const own = stage.connect();
    const life = mortal(own, stage.clock, death);
    const outside = { ...systemOutside(), clock: life.clock };
    const operator = startOperator(settings, { client: life.client, outside, log });
    await operator.ready;
    const term = operator.begin(life.client);
    void life.died.then(() => {
      died += 1;
      if (!isOver) current = operate(further);
    });
    const stop = async (): Promise<void> => {
      await term.stop();
      await operator.stop();
      own.close();
    };
    return { life, stop };
  }

  return {
    async stop() {
      isOver = true;
      const { life, stop } = await current;
      await Promise.race([stop(), life.died]);
      return { died, requests: life.requests };
    },
  };
}

/** @returns whether something came to pass in time */
async function inTime(happening: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([happening.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
