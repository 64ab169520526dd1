import { expect, it } from "vitest";
import { chooseVictims, type Candidate } from "../../src/connections/choose-victims.ts";

const NOW = 1_000_000;

interface Named extends Candidate {
  readonly name: string;
}

function candidate(name: string, facts: Partial<Candidate> = {}): Named {
  const quiet = { openedAt: NOW - 60_000, heard: false, requests: 0, transfers: 0, streams: 0, movedAt: NOW - 60_000 };
  return { name, client: name, isStranger: true, ...quiet, ...facts };
}

function first(candidates: readonly Named[]): string | undefined {
  const of = (client: string): number => candidates.filter((each) => each.client === client).length;
  return chooseVictims({ candidates: new Set(candidates), of }, NOW)[0]?.name;
}

const known = { isStranger: false, movedAt: NOW };
const RANKS: readonly Named[] = [
  candidate("silent"),
  candidate("idle", { heard: true }),
  candidate("answered", { heard: true, requests: 1 }),
  candidate("young", { openedAt: NOW - 100 }),
  candidate("kept", known),
  candidate("busy", { ...known, requests: 1 }),
];

it("ends strangers before known clients, and idle connections before busy ones", () => {
  for (let from = 0; from < RANKS.length; from++) {
    expect(first(RANKS.slice(from).toReversed())).toBe(RANKS[from]?.name);
  }
});

it("never ends a known client's transfer that makes progress, and ends one that has long made none", () => {
  const moving = candidate("moving", { ...known, requests: 1, transfers: 1 });
  expect(first([moving])).toBeUndefined();
  const stuck: Named = { ...moving, name: "stuck", movedAt: NOW - 60_000 };
  expect(first([moving, stuck])).toBe("stuck");
});

it("ends the oldest connection of whoever has most", () => {
  const many = [3, 1, 2].map((age) => candidate(`of many, ${age}`, { client: "many", openedAt: NOW - age * 10_000 }));
  expect(first([candidate("of few", { openedAt: NOW - 90_000 }), ...many])).toBe("of many, 3");
});

it("ends what a known client keeps beyond a fair number before it ends young strangers", () => {
  const hoarded = Array.from({ length: 8 }, (_, index) =>
    candidate(`hoarded ${index}`, { client: "hoarder", isStranger: false, openedAt: NOW - 90_000 + index }),
  );
  const young = Array.from({ length: 8 }, (_, index) => candidate(`young ${index}`, { openedAt: NOW - 10 }));
  expect(first([...young, ...hoarded])).toBe("hoarded 0");
});

it("keeps some places for strangers, of whom every newcomer is one", () => {
  const used = Array.from({ length: 12 }, (_, index) =>
    candidate(`used ${index}`, { ...known, client: "user", requests: 1, openedAt: NOW - 90_000 + index }),
  );
  const few = [candidate("young", { openedAt: NOW - 10 })];
  expect(first([...few, ...used])).toBe("used 0");
  const many = Array.from({ length: 12 }, (_, index) =>
    candidate(`young ${index}`, { client: `c${index}`, openedAt: NOW - 100 + index }),
  );
  expect(first([...many, ...used])).toBe("young 0");
});

it("ends requests of a client with many connections before what one with few keeps for its next request", () => {
  const many = Array.from({ length: 8 }, (_, index) =>
    candidate(`of many ${index}`, { ...known, client: "many", requests: 1, openedAt: NOW - 90_000 + index }),
  );
  const few = candidate("of few", known);
  const strangers = Array.from({ length: 8 }, (_, index) => candidate(`young ${index}`, { openedAt: NOW - 10 }));
  expect(first([few, ...many])).toBe("of many 0");
  const atWork = { ...known, requests: 1, transfers: 1 };
  const others = strangers.map((each) => ({ ...each, ...atWork, name: `at work, ${each.name}` }));
  expect(first([few, ...many, ...others])).toBe("of many 0");
  expect(first([few, ...others])).toBe("of few");
});

it("ends several at once in a large crowd", () => {
  const crowd = Array.from({ length: 3200 }, (_, index) => candidate(`silent ${index}`));
  expect(chooseVictims({ candidates: new Set(crowd), of: () => 1 }, NOW)).toHaveLength(100);
});

it("leaves its quiet streams to a client that has few connections, and to no other", () => {
  const stream = { ...known, requests: 1, streams: 1, movedAt: NOW - 600_000 };
  const [mine, ...hoard] = [candidate("mine", stream), ...[1, 2, 3, 4, 5].map((n) => candidate(`${n}`, stream))];
  expect(first([mine])).toBeUndefined();
  const of = (client: string): number => (client === "mine" ? 1 : 5);
  const all = hoard.map((each) => ({ ...each, client: "hoard" }));
  expect(chooseVictims({ candidates: new Set([mine, ...all]), of }, NOW)[0]?.client).toBe("hoard");
});
