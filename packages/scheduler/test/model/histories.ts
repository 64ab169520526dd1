import fc from "fast-check";
import { type Library, ModelWorld, PROFILES } from "./model-world.ts";

type Step = fc.AsyncCommand<object, ModelWorld, true>;

/** A step of a history: its description, and what it does. */
function step(words: string, happen: (world: ModelWorld) => void | Promise<void>): Step {
  return {
    check: async () => true,
    async run(_model, world) {
      await happen(world);
      // A round that this has started ends before anything else happens.
      await world.clock.advance(0);
      world.check();
    },
    toString: () => words,
  };
}

const few = fc.integer({ min: 1, max: 4 });
const some = fc.nat({ max: 9 });

const want = fc
  .tuple(fc.constantFrom(...PROFILES), fc.constantFrom(0, 0, 1, 2, 3, 6))
  .map(([profile, target]) =>
    step(`want ${target} of profile ${profile}`, (world) => world.setTarget(profile, target)),
  );
const time = fc
  .constantFrom(100, 1_000, 3_000, 6_000, 11_000, 25_000)
  .map((milliseconds) => step(`${milliseconds} ms pass`, (world) => world.clock.advance(milliseconds)));
const allEvents = fc.constant(step("all events come", (world) => world.deliver(Number.POSITIVE_INFINITY)));
const run = some.map((seed) => step(`#${seed} runs`, (world) => world.run(world.pick(seed))));
const list = fc.nat({ max: 3 }).map((age) => step(`a list, ${age} changes old`, (world) => world.poll(age)));
const deletion = fc
  .tuple(some, fc.boolean())
  .map(([seed, isForced]) =>
    step(`#${seed} is deleted${isForced ? " by force" : ""}`, (world) =>
      world.deleteByHand(world.pick(seed), isForced),
    ),
  );
const farewell = fc
  .tuple(some, fc.constantFrom("killed" as const, "decommissioned" as const))
  .map(([seed, kind]) => step(`#${seed} is ${kind}`, (world) => world.sendOff(world.pick(seed), kind)));
const createFaults = fc
  .array(fc.constantFrom("refused" as const, "lost" as const, "nothing" as const), { minLength: 1, maxLength: 3 })
  .map((faults) =>
    step(`the next creates: ${faults.join(", ")}`, (world) => void world.cluster.faults.creates.push(...faults)),
  );

/** Everything that can happen to executors and to what is known about them. Steps that other steps need are more frequent. */
const steps = [
  ...[want, want, want],
  ...[time, time, time],
  ...[allEvents, allEvents],
  ...[run, run],
  ...[list, list],
  few.map((count) => step(`${count} events come`, (world) => world.deliver(count))),
  few.map((count) => step(`${count} events are lost`, (world) => world.drop(count))),
  fc.constant(step("an event comes again", (world) => world.repeatLast())),
  some.map((seed) => step(`#${seed} fails`, (world) => world.finish(world.pick(seed), "failed"))),
  some.map((seed) => step(`#${seed} succeeds`, (world) => world.finish(world.pick(seed), "succeeded"))),
  some.map((seed) => step(`#${seed} registers`, (world) => world.register(world.pick(seed)))),
  fc.constant(step("what is being deleted goes", (world) => world.reap())),
  deletion,
  farewell,
  createFaults,
  few.map((count) => step(`the next ${count} writes fail`, (world) => void (world.cluster.faults.writes += count))),
  fc.constant(step("the backend is restarted", (world) => world.restart())),
];

export interface HistoryOptions {
  readonly runs: number;
  readonly seed: number;
  /** Whether a history that breaks a rule is reported as it is, without shrinking it first. */
  readonly endOnFailure?: boolean | undefined;
}

/** The highest number of steps in one history. */
const LENGTH = 30;

/**
 * Runs random histories and checks the rules of {@link ModelWorld} at every step and at the end.
 *
 * @throws a history that breaks a rule, with the seed.
 */
export async function checkHistories(
  library: Library,
  { runs, seed, endOnFailure = false }: HistoryOptions,
): Promise<void> {
  const histories = fc.commands<object, ModelWorld, true>(steps, { maxCommands: LENGTH, size: "max" });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      await fc.asyncModelRun(
        () => ({ model: {}, real: new ModelWorld(library) }),
        [...history, step("everything settles", (world) => world.settle())],
      );
    }),
    { numRuns: runs, seed, endOnFailure },
  );
}
