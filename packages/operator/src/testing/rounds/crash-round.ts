import { openTerm } from "@kindling/controller";
import { systemOutside } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { startOperator } from "../../operator.ts";
import type { Death } from "../life.ts";
import { mortal } from "../mortal-client.ts";
import { testSettings } from "../test-settings.ts";
import type { RoundFault } from "./judge-life.ts";
import type { Life } from "./lives.ts";
import { makeNamespace, removeNamespace } from "./namespaces.ts";
import { playedLife } from "./played-life.ts";
import type { Stage } from "./stage.ts";

export interface Round {
  /** How many of the deaths happened. */
  readonly deaths: number;
  /** How many requests the last operator has made. */
  readonly requests: number;
  /** The reasons of all events about the application, sorted. */
  readonly reasons: readonly string[];
  readonly faults: readonly RoundFault[];
}

/** {@link crashRoundIn} a namespace of its own. */
export async function crashRound(
  stage: Stage,
  namespace: string,
  life: Life,
  deaths: readonly Death[],
): Promise<Round> {
  await makeNamespace(stage, namespace);
  const round = await crashRoundIn(stage, namespace, life, deaths);
  await removeNamespace(stage, namespace);
  return round;
}

/**
 * One life of an application in an otherwise empty namespace. Its operator is killed once for each of the deaths, and is
 * started again each time.
 */
export async function crashRoundIn(
  stage: Stage,
  namespace: string,
  life: Life,
  deaths: readonly Death[],
): Promise<Round> {
  const operators = operateAgainAndAgain(stage, namespace, deaths);
  const faults = await playedLife(stage, namespace, life);
  const { died, requests } = await operators.stop();
  const where = `${life.name}, ${deaths.map(textOf).join(" and ") || "nothing happens"}: `;
  return {
    ...{ deaths: died, requests, reasons: stage.bystander.seen(namespace).reasons.toSorted() },
    faults: faults.map(({ kind, text }) => ({ kind, text: where + text })),
  };
}

function textOf({ atRequest, isSent }: Death): string {
  return `killed at request ${atRequest}, which is ${isSent ? "sent" : "not sent"}`;
}

/** Runs one operator after the other, until no death is left. */
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
    const term = openTerm({ client: life.client, ...outside, log });
    operator.begin(term);
    void life.died.then(() => {
      died += 1;
      if (!isOver) current = operate(further);
    });
    const stop = async (): Promise<void> => {
      await term.end();
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
