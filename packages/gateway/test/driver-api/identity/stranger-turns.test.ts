import { ManualClock } from "@kindling/outside";
import { reviewLimits } from "@kindling/service";
import { expect, test } from "vitest";
import { StrangerTurns } from "../../../src/driver-api/identity/stranger-turns.ts";

interface Parts {
  readonly clock: ManualClock;
  /** The questions, as `address pod`, in order. */
  readonly asked: string[];
  readonly ask: (address: string, pod: string) => Promise<string | undefined>;
}

function turns(answer: string | undefined): Parts {
  const clock = new ManualClock();
  const tooMany = (detail: string): Error => new Error(detail);
  const limits = reviewLimits({ clock, mostAtOnce: 8, failuresPerSecond: 1, tooMany });
  const all = new StrangerTurns({ limits, clock, random: { fraction: () => 0.5 }, tooMany });
  const asked: string[] = [];
  return {
    ...{ clock, asked },
    ask: (address, pod) =>
      all.ask(address, pod, () => {
        asked.push(`${address} ${pod}`);
        return Promise.resolve(answer);
      }),
  };
}

/** Lets an address use up its allowed wrong tokens. */
async function exhaust({ ask, asked }: Parts, address: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) await ask(address, "evil");
  asked.length = 0;
}

test("an address that sent many wrong tokens waits, and the others do not", async () => {
  const parts = turns(undefined);
  await exhaust(parts, "a");
  const waiting = parts.ask("a", "evil");
  await parts.ask("b", "good");
  expect(parts.asked).toEqual(["b good"]);
  await parts.clock.advance(1_200);
  await waiting;
  expect(parts.asked).toEqual(["b good", "a evil"]);
});

test("within an address, pods take turns, however many tokens name one of them", async () => {
  const parts = turns(undefined);
  await exhaust(parts, "a");
  for (let count = 0; count < 16; count += 1) void parts.ask("a", "evil").catch(() => undefined);
  const good = parts.ask("a", "good");
  await parts.clock.advance(2_500);
  await good;
  expect(parts.asked).toEqual(["a evil", "a good"]);
});

test("of too many that wait, one is refused by chance, and whoever waits too long", async () => {
  const parts = turns(undefined);
  await exhaust(parts, "a");
  const outcomes: string[] = [];
  for (let count = 0; count < 17; count += 1) {
    void parts.ask("a", "evil").then(
      () => outcomes.push(`${count} asked`),
      () => outcomes.push(`${count} refused`),
    );
  }
  await parts.clock.advance(0);
  expect(outcomes).toEqual(["8 refused"]);
  await parts.clock.advance(11_000);
  expect(outcomes.filter((one) => one.endsWith("refused")).length).toBeGreaterThan(5);
  expect(outcomes).toHaveLength(17);
});
