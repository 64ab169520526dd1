import { openTerm } from "@kindling/controller";
import { resources } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, onTestFinished, test } from "vitest";
import { startOperator } from "../../src/operator.ts";
import { testSettings } from "../../src/testing/test-settings.ts";
import { embeddedStage, type EmbeddedStage } from "./rounds/embedded-stage.ts";
import { applicationsInEachState, COURSES, ENDS, leaveInState, type Place } from "./rounds/every-state.ts";
import { NAME } from "../../src/testing/rounds/person.ts";

const log = jsonLog({ write: () => undefined }, systemOutside().clock, "error");

/** An operator for all namespaces. */
async function operate(stage: EmbeddedStage): Promise<() => Promise<void>> {
  const client = stage.connect();
  const outside = { ...systemOutside(), clock: stage.clock };
  const operator = startOperator(testSettings({ namespaces: [] }), { client, outside, log });
  await operator.ready;
  const term = openTerm({ client: client, ...outside, log });
  operator.begin(term);
  const stop = async (): Promise<void> => {
    await term.end();
    await operator.stop();
    client.close();
  };
  onTestFinished(stop);
  return stop;
}

/** How many drivers have existed in a namespace. */
function driversIn({ bystander }: EmbeddedStage, { namespace }: Place): number {
  return [...bystander.seen(namespace).made.values()].filter(({ kind }) => kind === "Pod").length;
}

interface Before {
  readonly drivers: number;
  readonly submissionId: string | undefined;
}

function seenIn(stage: EmbeddedStage, place: Place): Before {
  const submissionId = stage.bystander.seen(place.namespace).application?.status?.submissionID;
  return { drivers: driversIn(stage, place), submissionId };
}

/** The result of an edit. */
async function newRun(stage: EmbeddedStage, place: Place, before: Before | undefined): Promise<object> {
  const { namespace, state } = place;
  const status = await stage.bystander.until(() => {
    const { status } = stage.bystander.seen(namespace).application ?? {};
    const isNew = status !== undefined && status.submissionID !== before?.submissionId;
    return isNew && status.applicationState.state === "COMPLETED" ? status : undefined;
  });
  const pod: Pod = await stage.client.get(resources.pods, `${NAME}-driver`, { namespace });
  const { submissionAttempts, executionAttempts } = status;
  return {
    ...{ state, submissionAttempts, executionAttempts },
    drivers: driversIn(stage, place) - (before?.drivers ?? 0),
    isOfEditedSpec: pod.spec?.containers[0]?.args?.includes("edited"),
  };
}

const ONE_NEW_RUN = { submissionAttempts: 1, executionAttempts: 1, drivers: 1, isOfEditedSpec: true };

const EDITED = { suspend: false, arguments: ["edited"], driver: ENDS };

test("an edit while no operator is there leads to one run of the edited spec, whatever the state", async () => {
  const stage = await embeddedStage();
  const stop = await operate(stage);
  const places = await applicationsInEachState(stage, COURSES);
  await stop();
  const before = places.map((place) => seenIn(stage, place));
  for (const place of places) {
    await leaveInState(stage, place);
    await place.person.edit(EDITED);
  }
  await operate(stage);
  const runs = await Promise.all(places.map((place, index) => newRun(stage, place, before[index])));
  expect(runs).toEqual(places.map(({ state }) => ({ state, ...ONE_NEW_RUN })));
});

test("so does an edit under the operator's eyes", async () => {
  const stage = await embeddedStage();
  await operate(stage);
  const places = await applicationsInEachState(
    stage,
    COURSES.filter(({ isOnTheWay = false }) => !isOnTheWay),
  );
  const before = places.map((place) => seenIn(stage, place));
  await Promise.all(places.map(({ person }) => person.edit(EDITED)));
  const runs = await Promise.all(places.map((place, index) => newRun(stage, place, before[index])));
  expect(runs).toEqual(places.map(({ state }) => ({ state, ...ONE_NEW_RUN })));
});

test("a suspension stops what is not at its end, whatever the state, and its end starts one run", async () => {
  const stage = await embeddedStage();
  const stop = await operate(stage);
  const places = await applicationsInEachState(stage, COURSES);
  await stop();
  for (const place of places) {
    await leaveInState(stage, place);
    await place.person.edit({ suspend: true });
  }
  const stopAgain = await operate(stage);
  const hasEnded = ({ state }: Place): boolean => state === "COMPLETED" || state === "FAILED";
  const suspended = places.filter((place) => !hasEnded(place));
  await Promise.all(suspended.map(({ person }) => person.waitFor("SUSPENDED")));
  await Promise.all(
    suspended.map(({ namespace }) =>
      stage.bystander.until(() =>
        [...stage.bystander.seen(namespace).there.values()].every(({ kind }) => kind !== "Pod") ? true : undefined,
      ),
    ),
  );
  const before = suspended.map((place) => driversIn(stage, place));
  await stopAgain();
  await operate(stage);
  await Promise.all(
    suspended.map(async (place, index) => {
      const { person, namespace, state } = place;
      const { submissionAttempts = 0 } = stage.bystander.seen(namespace).application?.status ?? {};
      await person.edit({ suspend: false });
      if (state === "SUBMISSION_FAILED") return await person.waitFor("SUBMISSION_FAILED", submissionAttempts + 1);
      await person.waitFor(state === "SUBMITTED" ? "SUBMITTED" : state === "FAILING" ? "FAILING" : "RUNNING");
      expect(driversIn(stage, place) - (before[index] ?? 0), state).toBe(1);
      expect(stage.bystander.seen(namespace).application?.status?.submissionAttempts, state).toBe(
        submissionAttempts + 1,
      );
    }),
  );
  for (const place of places.filter(hasEnded)) {
    expect(stage.bystander.seen(place.namespace).application?.status?.applicationState.state).toBe(place.state);
    expect(driversIn(stage, place)).toBe(1);
  }
});
