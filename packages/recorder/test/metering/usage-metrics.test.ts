import { ManualClock } from "@kindling/outside";
import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import fc from "fast-check";
import { expect, test } from "vitest";
import { podLifeOf } from "../../src/cluster/pod-life-of.ts";
import { type SparkPod, sparkPod } from "../../src/cluster/spark-pod.ts";
import { UsageMeter, type UsageMeterOptions, type UsingRun } from "../../src/metering/usage-meter.ts";
import { RunSecrets } from "../../src/secrets/run-secrets.ts";
import { testFolder } from "../support/archives.ts";
import { registryOf, Scraper } from "../support/scraper.ts";

const CORES = "recorder_core_seconds_total";
const MEMORY = "recorder_memory_byte_seconds_total";
const ENDED = "recorder_runs_ended_total";
const MINUTE = 60_000;

interface Scene {
  readonly clock: ManualClock;
  readonly monitoring: Scraper;
  readonly meter: () => Promise<UsageMeter>;
}

async function scene(mostTeams = 100): Promise<Scene> {
  const [clock, folder] = [new ManualClock(), await testFolder()];
  const warn = (text: string): never => expect.unreachable(text);
  const options = { clock, log: { warn }, kindOf: () => undefined, folder, teamLabel: "team", mostTeams };
  return { clock, monitoring: new Scraper(), meter: () => begunMeter(options) };
}

async function begunMeter(options: UsageMeterOptions): Promise<UsageMeter> {
  const meter = new UsageMeter(options);
  await meter.begin("where it ended");
  return meter;
}

function spark(builder: PodBuilder): SparkPod {
  const pod = sparkPod(builder.stored());
  if (pod === undefined) throw new Error("this is no pod of Spark");
  return pod;
}

/** A driver of the team blue, in the queue etl. Pods have two cores and 4 GiB. */
function driver(name = "daily", team = "blue"): PodBuilder {
  return podOf(aPod(name).driver().labels({ team, "scheduler.kindling/queue": "etl" }));
}

function executor(number: number, name = "daily"): PodBuilder {
  return podOf(aPod(`${name}-exec-${number}`).executor(number, `spark-${name}`));
}

function podOf(builder: PodBuilder): PodBuilder {
  return builder.in("jobs").on("node").requests({ cpu: "2", memory: "4Gi" });
}

function begun(builder: PodBuilder, at: number): SparkPod {
  return spark(builder.running().status({ startTime: new Date(at).toISOString() }));
}

function ended(builder: PodBuilder, from: number, to: number): SparkPod {
  const [startTime, finishedAt] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const containerStatuses = (builder.succeeded().build().status?.containerStatuses ?? []).map((status) => ({
    ...status,
    state: { terminated: { exitCode: 0, reason: "Completed", finishedAt } },
  }));
  return spark(builder.succeeded().status({ startTime, containerStatuses }));
}

function runOf(pod: SparkPod): UsingRun & { driver: SparkPod } {
  return { place: pod, driver: pod, secrets: new RunSecrets() };
}

function record(meter: UsageMeter, run: UsingRun, pod: SparkPod): void {
  meter.seen(run, pod);
  meter.recorded(
    run,
    podLifeOf(pod, () => undefined, Number.NaN),
  );
}

test("what runs is counted while it runs, and to the second at its end", async () => {
  const { clock, monitoring, meter: open } = await scene();
  const meter = await open();
  const registry = registryOf(meter);
  const begin = clock.now();
  const run = runOf(begun(driver(), begin));
  meter.seen(run, run.driver);
  await monitoring.scrape(registry);
  clock.advanceAtOnce(2 * MINUTE);
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES, 'queue="etl",team="blue"')).toBe(240);
  expect(monitoring.increase(MEMORY, 'namespace="jobs"')).toBe(120 * 4 * 1024 ** 3);
  // Its end is told two seconds late.
  clock.advanceAtOnce(10_000);
  await monitoring.scrape(registry);
  record(meter, run, ended(driver(), begin, begin + 128_000));
  await meter.stored(run, { state: "failed" });
  clock.advanceAtOnce(2 * MINUTE);
  await monitoring.scrape(registry);
  const later = runOf(begun(driver("later"), clock.now()));
  meter.seen(later, later.driver);
  clock.advanceAtOnce(MINUTE);
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES)).toBe(256 + 120);
  expect(monitoring.increase(ENDED, 'state="failed"')).toBe(1);
  expect(monitoring.setBack).toEqual([]);
});

test("executors of ten seconds count, also those that began and ended between two scrapes", async () => {
  const { clock, monitoring, meter: open } = await scene();
  const meter = await open();
  const registry = registryOf(meter);
  const run = runOf(begun(driver(), clock.now()));
  await monitoring.scrape(registry);
  for (let number = 1; number <= 50; number++) {
    record(meter, run, ended(executor(number), clock.now(), clock.now() + 10_000));
    clock.advanceAtOnce(10_000);
    if (number % 3 === 0) await monitoring.scrape(registry);
  }
  clock.advanceAtOnce(MINUTE);
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES)).toBe(50 * 20);
});

test("a team whose only application was short counts, although its counters are new", async () => {
  const { clock, monitoring, meter: open } = await scene();
  const meter = await open();
  const registry = registryOf(meter);
  const run = runOf(ended(driver("short", "new"), clock.now(), clock.now() + 5_000));
  clock.advanceAtOnce(5_000);
  record(meter, run, run.driver);
  await meter.stored(run, { state: "succeeded" });
  for (let minute = 0; minute < 3; minute++) {
    await monitoring.scrape(registry);
    clock.advanceAtOnce(MINUTE);
  }
  expect(monitoring.increase(CORES, 'team="new"')).toBe(10);
  expect(monitoring.increase(ENDED, 'team="new"')).toBe(1);
});

test("a label that changes divides the usage at that moment", async () => {
  const { clock, monitoring, meter: open } = await scene();
  const meter = await open();
  const registry = registryOf(meter);
  const begin = clock.now();
  const run = runOf(begun(driver(), begin));
  meter.seen(run, run.driver);
  meter.seen(run, begun(executor(1), begin));
  await monitoring.scrape(registry);
  clock.advanceAtOnce(100_000);
  run.driver = begun(driver("daily", "red"), begin);
  meter.seen(run, run.driver);
  await monitoring.scrape(registry);
  clock.advanceAtOnce(100_000);
  record(meter, run, ended(executor(1), begin, begin + 200_000));
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES, 'team="blue"')).toBe(400);
  expect(monitoring.increase(CORES, 'team="red"')).toBe(400);
});

test("spot nodes are counted apart", async () => {
  const { clock, monitoring } = await scene();
  const spot = { name: "node", uid: "n", resourceVersion: "1", type: "m5.xlarge", isSpot: true };
  const kindOf = () => spot;
  const meter = await begunMeter({
    ...{ clock, kindOf, folder: await testFolder(), teamLabel: "team", mostTeams: 1, log: { warn: () => undefined } },
  });
  const registry = registryOf(meter);
  const run = runOf(begun(driver(), clock.now()));
  meter.seen(run, run.driver);
  await monitoring.scrape(registry);
  clock.advanceAtOnce(MINUTE);
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES, 'spot="true"')).toBe(120);
});

test("many teams are counted together, and secrets are no label", async () => {
  const { clock, monitoring, meter: open } = await scene(2);
  const meter = await open();
  const registry = registryOf(meter);
  for (const team of ["one", "two", "three", "four", "one"]) {
    const run = runOf(begun(driver(`of-${team}`, team), clock.now()));
    meter.seen(run, run.driver);
  }
  await monitoring.scrape(registry);
  clock.advanceAtOnce(MINUTE);
  await monitoring.scrape(registry);
  expect(monitoring.increase(CORES, 'team="one"')).toBe(120);
  expect(monitoring.increase(CORES, 'team="other"')).toBe(240);
  const secret = runOf(begun(driver("secret", "hidden-secret"), clock.now()));
  (secret.secrets as RunSecrets).learn(["hidden-secret"]);
  meter.seen(secret, secret.driver);
  expect(await registry.metrics()).not.toContain("hidden-secret");
});

test("a clock that jumps by an hour changes no counter", async () => {
  const { clock, monitoring, meter: open } = await scene();
  let jump = 0;
  const meter = await begunMeter({
    ...{ kindOf: () => undefined, folder: await testFolder(), teamLabel: "team", mostTeams: 1 },
    clock: { now: () => clock.now() + jump, monotonic: () => clock.monotonic() },
    log: { warn: () => undefined },
  });
  expect(await open()).toBeDefined();
  const registry = registryOf(meter);
  const run = runOf(begun(driver(), clock.now()));
  meter.seen(run, run.driver);
  await monitoring.scrape(registry);
  for (const hours of [1, -1, 0]) {
    jump = hours * 3_600_000;
    clock.advanceAtOnce(MINUTE);
    meter.seen(run, run.driver);
    await monitoring.scrape(registry);
  }
  expect(monitoring.increase(CORES)).toBe(360);
  expect(monitoring.setBack).toEqual([]);
});

test("whenever a recorder is started again, the increase is what was used", async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constantFrom("begin" as const, "end" as const), pod: fc.nat({ max: 5 }) }),
      fc.record({ do: fc.constantFrom("scrape" as const, "restart" as const), pod: fc.constant(0) }),
    ),
    { maxLength: 30 },
  );
  await fc.assert(fc.asyncProperty(steps, fc.array(fc.integer({ min: 1, max: 90 })), countsAll), { numRuns: 60 });
});

type Step = { readonly do: "begin" | "end" | "scrape" | "restart"; readonly pod: number };

async function countsAll(steps: readonly Step[], pauses: readonly number[]): Promise<void> {
  const { clock, monitoring, meter: open } = await scene();
  const start = clock.now();
  const run = runOf(begun(driver(), start));
  const running = new Map<number, { readonly name: number; readonly from: number }>();
  const lives: SparkPod[] = [];
  let meter = await open();
  let registry = registryOf(meter);

  /** A process begins with the lives on its disk, and with the pods that there are. */
  async function begin(): Promise<void> {
    meter = await open();
    registry = registryOf(meter);
    for (const pod of lives)
      meter.recorded(
        run,
        podLifeOf(pod, () => undefined, Number.NaN),
      );
    meter.seen(run, run.driver);
    for (const { name, from } of running.values()) meter.seen(run, begun(executor(name), from));
    await monitoring.scrapeNew(registry);
  }

  await begin();
  for (const [name, step] of steps.entries()) {
    clock.advanceAtOnce((pauses[name % Math.max(1, pauses.length)] ?? 7) * 1000);
    const known = running.get(step.pod);
    if (step.do === "begin" && known === undefined) {
      running.set(step.pod, { name, from: clock.now() });
      meter.seen(run, begun(executor(name), clock.now()));
    }
    if (step.do === "end" && known !== undefined) {
      running.delete(step.pod);
      const pod = ended(executor(known.name), known.from, clock.now());
      lives.push(pod);
      record(meter, run, pod);
    }
    if (step.do === "scrape") await monitoring.scrape(registry);
    if (step.do === "restart") await begin();
  }
  for (let minute = 0; minute < 2; minute++) {
    clock.advanceAtOnce(MINUTE);
    await monitoring.scrape(registry);
  }
  const since = (from: number): number => clock.now() - from;
  const milliseconds = [
    since(start),
    ...Array.from(running.values(), ({ from }) => since(from)),
    ...lives.map((pod) => podLifeOf(pod, () => undefined, 0)).map((life) => life.ended - (life.started ?? life.ended)),
  ];
  expect(monitoring.increase(CORES)).toBeCloseTo((2 * milliseconds.reduce((sum, one) => sum + one, 0)) / 1000, 3);
  expect(monitoring.setBack).toEqual([]);
}
