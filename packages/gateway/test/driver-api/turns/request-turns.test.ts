import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { RequestTurns, type Turn } from "../../../src/driver-api/turns/request-turns.ts";

const SEATS = 8;
const IDLE = (): number => 0;

class Scene {
  readonly clock = new ManualClock();
  readonly turns: RequestTurns;
  /** The clients that have had a turn, in order. */
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #open: Turn[] = [];

  constructor(loopUse: () => number = IDLE) {
    this.turns = new RequestTurns(this.clock, loopUse);
  }

  ask(application: string, use = 1, onGone: (callback: () => void) => void = () => undefined): void {
    this.turns.take(application, use, onGone).then(
      (turn) => {
        this.begun.push(application);
        this.#open.push(turn);
      },
      () => this.refused.push(application),
    );
  }

  askOften(application: string, times: number): void {
    for (let time = 0; time < times; time += 1) this.ask(application);
  }

  /** The oldest request is answered. */
  async answer(used = 0): Promise<void> {
    this.#open.shift()?.end(used);
    await this.settled();
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

test("whoever asks seldom is next, however many requests of others wait", async () => {
  const scene = new Scene();
  scene.askOften("greedy", SEATS + 20);
  await scene.settled();
  expect(scene.begun).toHaveLength(SEATS);
  scene.ask("seldom");
  await scene.answer();
  expect(scene.begun.at(-1)).toBe("seldom");
  await scene.answer();
  expect(scene.begun.at(-1)).toBe("greedy");
});

test("those that ask without end share what there is, by what their requests use", async () => {
  const scene = new Scene();
  scene.askOften("cheap", 40);
  for (let time = 0; time < 40; time += 1) scene.ask("dear", 10);
  await scene.settled();
  for (let answers = 0; answers < 30; answers += 1) await scene.answer();
  const of = (name: string): number => scene.begun.filter((one) => one === name).length;
  expect(of("cheap")).toBeGreaterThan(of("dear") * 5);
});

test("what an answer turned out to use counts, and is forgotten with time", async () => {
  const scene = new Scene();
  scene.ask("large");
  await scene.settled();
  await scene.answer(1_000);
  scene.askOften("filler", SEATS);
  scene.ask("large");
  scene.ask("other", 5);
  await scene.settled();
  await scene.answer();
  expect(scene.begun.at(-1)).toBe("other");
  await scene.clock.advance(120_000);
  await scene.settled();
  expect(scene.begun.at(-1)).toBe("large");
});

test("while the event loop is busy, whoever uses several times as much as others rests, and nobody else", async () => {
  let use = 1;
  const scene = new Scene(() => use);
  for (const quiet of ["a", "b", "c"]) scene.ask(quiet);
  scene.ask("greedy", 100);
  await scene.settled();
  await scene.clock.advance(100);
  expect(scene.begun).toEqual(["a", "b", "c", "greedy"]);
  scene.ask("greedy");
  scene.ask("a");
  await scene.settled();
  expect(scene.begun.slice(4)).toEqual(["a"]);
  use = 0.1;
  await scene.clock.advance(20);
  await scene.settled();
  expect(scene.begun.slice(4)).toEqual(["a", "greedy"]);
});

test("whoever uses several times as much as others has one turn at a time, also while there is little to do", async () => {
  const scene = new Scene();
  for (const quiet of ["a", "b", "c"]) scene.ask(quiet);
  scene.ask("greedy", 100);
  await scene.settled();
  for (let answers = 0; answers < 4; answers += 1) await scene.answer();
  await scene.clock.advance(100);
  scene.askOften("greedy", 3);
  scene.askOften("a", 3);
  await scene.settled();
  expect(scene.begun.slice(4)).toEqual(["greedy", "a", "a", "a"]);
  await scene.answer();
  expect(scene.begun.slice(8)).toEqual(["greedy"]);
});

test("among those that use the same, nobody rests", async () => {
  const scene = new Scene(() => 1);
  for (const name of ["a", "b", "c", "a", "b", "c"]) scene.ask(name, 50);
  await scene.settled();
  await scene.clock.advance(100);
  expect(scene.begun).toHaveLength(6);
});

test("what takes long for reasons of others does not keep its place", async () => {
  const scene = new Scene();
  scene.askOften("slow", SEATS);
  scene.ask("next");
  await scene.settled();
  expect(scene.begun).toHaveLength(SEATS);
  await scene.clock.advance(100);
  await scene.settled();
  expect(scene.begun.at(-1)).toBe("next");
});

test("nobody waits for ever, a line has an end, and who is gone has left it", async () => {
  const scene = new Scene(() => 1);
  scene.askOften("quiet", 1);
  scene.ask("greedy", 1_000);
  await scene.settled();
  await scene.clock.advance(100);
  scene.askOften("greedy", 64);
  scene.ask("greedy");
  await scene.settled();
  expect(scene.refused).toHaveLength(1);
  await scene.clock.advance(8_000);
  expect(scene.refused).toHaveLength(65);

  let leave: () => void = () => undefined;
  scene.ask("greedy", 1, (gone) => (leave = gone));
  await scene.settled();
  leave();
  await scene.clock.advance(8_000);
  expect(scene.refused).toHaveLength(65);
  expect(scene.begun.filter((name) => name === "greedy")).toHaveLength(1);
});
