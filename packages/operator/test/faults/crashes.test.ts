import { expect, test } from "vitest";
import type { Death } from "../support/mortal-client.ts";
import { atOnce } from "./rounds/at-once.ts";
import { crashRound } from "./rounds/crash-round.ts";
import { embeddedStage } from "./rounds/embedded-stage.ts";
import { LIVES } from "./rounds/lives.ts";

const AT_ONCE = 8;
/** Of the requests of a life so many are passed over here; the benchmark of the operator's faults takes them as they come. */
const STRIDE = 6;

const [COMPLETES, ...OTHERS] = LIVES;

test("a life goes its way, at whichever request the operator is killed", async () => {
  if (COMPLETES === undefined) throw new Error("there is no life");
  const stage = await embeddedStage();
  let hasDied = true;
  for (let first = 1; hasDied; first += AT_ONCE) {
    const deaths = Array.from({ length: AT_ONCE }, (_, index) => first + index).flatMap((atRequest): Death[] => [
      { atRequest, isSent: true },
      { atRequest, isSent: false },
    ]);
    const rounds = await atOnce(AT_ONCE, deaths, (death) =>
      crashRound(stage, `killed-${death.atRequest}-${death.isSent ? "after" : "before"}`, COMPLETES, [death]),
    );
    expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
    hasDied = rounds.every((round) => round.deaths > 0);
  }
});

test("so do others, also if the next operator is killed as well", async () => {
  const stage = await embeddedStage();
  const undisturbed = await atOnce(AT_ONCE, OTHERS, (life, index) => crashRound(stage, `calm-${index}`, life, []));
  expect(undisturbed.flatMap(({ faults }) => faults)).toEqual([]);
  const cases = OTHERS.flatMap((life, index) => {
    const { requests } = undisturbed[index] ?? { requests: 0 };
    return Array.from({ length: Math.ceil(requests / STRIDE) }, (_, step) => {
      const death = { atRequest: 1 + step * STRIDE + (index % STRIDE), isSent: step % 2 === 0 };
      return { life, deaths: step % STRIDE === 0 ? [death, { ...death, isSent: !death.isSent }] : [death] };
    });
  });
  const rounds = await atOnce(AT_ONCE, cases, ({ life, deaths }, index) =>
    crashRound(stage, `killed-${index}`, life, deaths),
  );
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
});
