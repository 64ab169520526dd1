import { systemClock } from "@kindling/outside";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { expect, onTestFinished, test } from "vitest";
import { AdjustableClock } from "../support/adjustable-clock.ts";
import { atOnce } from "./rounds/at-once.ts";
import { ATTENDED, ATTENDED_REASONS } from "./rounds/attended-life.ts";
import { crashRound } from "../../src/testing/rounds/crash-round.ts";
import { embeddedStage } from "./rounds/embedded-stage.ts";
import type { Life } from "../../src/testing/rounds/lives.ts";
import { namespaceOf, requestKind } from "./rounds/request-kind.ts";

const LOST: Fault = { kind: "reset", carriedOut: false };
const TIMES = 7;
/** A watch that has been silent for so long is taken for broken. */
const LONGER_THAN_SILENCE_MS = 10 * 60_000;
const INTERNAL_ERROR: Fault = { kind: "status", status: 500, reason: "InternalError", message: "out of order" };

test("watches that end, break, or are too old lose nothing", async () => {
  const stage = await embeddedStage();
  const { api } = stage.cluster;
  const interruptions: Record<string, () => void> = {
    "they end": () => api.endWatches(),
    "they have expired": () => api.endWatches({ code: 410, reason: "Expired" }),
    "connections break": () => api.breakConnections(),
    "the history is forgotten": () => {
      stage.cluster.devCluster.faults.compact();
      api.breakConnections();
    },
  };
  for (const [what, interrupt] of Object.entries(interruptions)) {
    const life: Life = {
      ...ATTENDED,
      async live(person) {
        await person.create({ driver: { serviceAccount: "spark" } });
        interrupt();
        await person.waitForDriver();
        interrupt();
        await person.waitFor("RUNNING");
        interrupt();
        await person.endDriver(0);
        interrupt();
        await person.waitFor("COMPLETED");
        await person.waitForEvents(ATTENDED_REASONS.length);
      },
    };
    const round = await crashRound(stage, what.replaceAll(" ", "-"), life, []);
    expect(round, what).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
  }
});

test("what happens while watches are open and say nothing is found out", async () => {
  const clock = new AdjustableClock();
  const stage = await embeddedStage({ clients: clock });
  const { api } = stage.cluster;
  const silenced = new Set<string>();
  api.fault = (request) => {
    const kind = requestKind(request);
    if (!kind.startsWith("WATCH") || silenced.has(kind)) return undefined;
    silenced.add(kind);
    return { kind: "instead", text: "", isLeftOpen: true };
  };
  // Meanwhile the application goes on, and the watch says nothing of it. A watch counts its silence from the answer's head, which
  // takes a while on a busy machine, so the time passes more than once.
  const passing = setInterval(() => clock.forward(LONGER_THAN_SILENCE_MS), 500);
  onTestFinished(() => clearInterval(passing));
  expect(await crashRound(stage, "silence", ATTENDED, [])).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
});

test("an API server that is away is waited for, and not called all the time", async () => {
  const clock = new AdjustableClock();
  const stage = await embeddedStage({ operators: clock });
  const { api } = stage.cluster;
  const isOfOperator = ({ headers }: SeenRequest): boolean => headers["user-agent"]?.startsWith("kindling-op") === true;
  const away = async (calls: number): Promise<void> => {
    let left = calls;
    await new Promise<void>((resolve) => {
      api.fault = (request) => {
        if (!isOfOperator(request)) return undefined;
        left -= 1;
        if (left === 0) resolve();
        return LOST;
      };
      api.breakConnections();
    });
    api.fault = () => undefined;
  };
  const life: Life = {
    ...ATTENDED,
    async live(person) {
      await person.create({ driver: { serviceAccount: "spark" } });
      await person.waitFor("RUNNING");
      const isAway = away(10);
      await person.endDriver(0);
      await isAway;
      await person.waitFor("COMPLETED");
      await person.waitForEvents(ATTENDED_REASONS.length);
    },
  };
  expect(await crashRound(stage, "away", life, [])).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
});

test("the time in which the API server is away is no time in which it refuses a submission", async () => {
  const clock = new AdjustableClock();
  const stage = await embeddedStage({ operators: clock });
  let step: "submits" | "away" | "hesitates" | "well" = "submits";
  let times = 0;
  stage.cluster.api.fault = (request) => {
    const kind = requestKind(request);
    if (step === "submits" && kind === "POST pods") {
      step = "away";
      return INTERNAL_ERROR;
    }
    if (step === "away" && kind === "GET sparkapplications") {
      clock.forward(100_000);
      times += 1;
      if (times === 3) step = "hesitates";
      return { kind: "status", status: 403, reason: "Forbidden", message: "not yet" };
    }
    if (step === "hesitates" && kind === "POST pods") {
      step = "well";
      return INTERNAL_ERROR;
    }
    return undefined;
  };
  expect(await crashRound(stage, "away", ATTENDED, [])).toMatchObject({ faults: [], reasons: ATTENDED_REASONS });
  expect(step).toBe("well");
});

test("an API server that goes on refusing makes the submission fail, and says why", async () => {
  const clock = new AdjustableClock();
  const stage = await embeddedStage({ operators: clock });
  stage.cluster.api.fault = (request) => {
    if (requestKind(request) !== "POST pods") return undefined;
    clock.forward(10_000);
    return INTERNAL_ERROR;
  };
  let message: string | undefined;
  const life: Life = {
    ...ATTENDED,
    async live(person) {
      await person.create({});
      await person.waitFor("FAILED");
      message = stage.bystander.seen("refusal").application?.status?.applicationState.errorMessage;
    },
    faults: ["SUBMISSION_FAILED", "FAILED"],
    attempts: { submission: 1, execution: 0 },
    drivers: { least: 0, most: 0 },
  };
  expect(await crashRound(stage, "refusal", life, [])).toMatchObject({ faults: [] });
  expect(message).toMatch(/^failed to submit spark application: failed to run spark-submit: .*out of order/);
});

test("the more often something fails, the longer it waits", async () => {
  const stage = await embeddedStage({ operators: systemClock });
  const { api } = stage.cluster;
  const cases = [
    { kind: "POST pods", fault: INTERNAL_ERROR },
    { kind: "GET sparkapplications", fault: { kind: "status", status: 403, reason: "Forbidden" } satisfies Fault },
  ];
  const met = cases.map((): number[] => []);
  api.fault = (request) => {
    const index = Number(namespaceOf(request).replace("case-", ""));
    const { kind, fault } = cases[index] ?? {};
    const times = met[index];
    if (times === undefined || requestKind(request) !== kind || times.length === TIMES) return undefined;
    times.push(performance.now());
    return fault;
  };
  const rounds = await atOnce(cases.length, cases, (_, index) => crashRound(stage, `case-${index}`, ATTENDED, []));
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
  // 5 ms, and twice as long each time; timers of Node may fire a millisecond early.
  const waitedMs = met.map((times) => (times.at(-1) ?? 0) - (times[0] ?? 0));
  expect(waitedMs.map((ms) => ms >= 5 * (2 ** (TIMES - 1) - 1) - TIMES)).toEqual([true, true]);
});
