import { expect, test } from "vitest";
import type { Death } from "../../src/testing/life.ts";
import { atOnce } from "./rounds/at-once.ts";
import { crashRound } from "../../src/testing/rounds/crash-round.ts";
import { embeddedStage } from "./rounds/embedded-stage.ts";
import { LIVES } from "../../src/testing/rounds/lives.ts";

const AT_ONCE = 8;
/** This test tries every eighth request of a life; the benchmark of the operator's faults tries all of them. */
const STRIDE = 8;
/** Many lives take long on a busy machine. */
const TIMEOUT_MS = 240_000;

const [COMPLETES, ...OTHERS] = LIVES;

test(
  "a life goes its way, at whichever request the operator is killed",
  async () => {
    if (COMPLETES === undefined) throw new Error("there is no life");
    const stage = await embeddedStage();
    const { requests, faults } = await crashRound(stage, "calm", COMPLETES, []);
    expect(faults).toEqual([]);
    // The last deaths come too late to happen.
    const deaths = Array.from({ length: requests + 1 }, (_, index) => index + 1).flatMap((atRequest): Death[] => [
      { atRequest, isSent: true },
      { atRequest, isSent: false },
    ]);
    const rounds = await atOnce(AT_ONCE, deaths, (death, index) =>
      crashRound(stage, `killed-${index}`, COMPLETES, [death]),
    );
    expect(rounds.flatMap((round) => round.faults)).toEqual([]);
    expect(rounds.filter((round) => round.deaths > 0).length).toBeGreaterThan(requests);
  },
  TIMEOUT_MS,
);

test(
  "so do others, also if the next operator is killed as well",
  async () => {
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
  },
  TIMEOUT_MS,
);
