import type { Life } from "../../../src/testing/rounds/lives.ts";

/** A life in which every state lasts until the operator has seen it. */
export const ATTENDED: Life = {
  name: "ends well",
  async live(person) {
    await person.create({ driver: { serviceAccount: "spark" } });
    await person.waitFor("RUNNING");
    await person.endDriver(0);
    await person.waitFor("COMPLETED");
    await person.waitForEvents(ATTENDED_REASONS.length);
  },
  faults: [],
  attempts: { submission: 1, execution: 1 },
  drivers: { least: 1, most: 1 },
};

/** The reasons of its events, sorted. */
export const ATTENDED_REASONS = [
  "SparkApplicationCompleted",
  "SparkApplicationSubmitted",
  "SparkDriverCompleted",
  "SparkDriverRunning",
];
