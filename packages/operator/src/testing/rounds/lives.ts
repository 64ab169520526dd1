import type { ApplicationState } from "@kindling/spark-application";
import type { Person } from "./person.ts";

/** A course of events, and its required result, however often the operator is killed on the way. */
export interface Life {
  readonly name: string;
  /** Resolves at the end. */
  readonly live: (person: Person) => Promise<void>;
  /** The states of failure that belong to this course of events; other states of failure must never occur. */
  readonly faults: readonly ApplicationState[];
  /** The attempts that the status must have at the end; undefined for an application that is gone by then. */
  readonly attempts: { readonly submission: number; readonly execution: number } | undefined;
  /** How many drivers there must be in total. */
  readonly drivers: { readonly least: number; readonly most: number };
}

const RUN_FOR = "hollow.devcluster.kindling/run-for";
const EXIT_CODE = "hollow.devcluster.kindling/exit-code";

/** A driver that ends by itself. */
function driverThat(exitCode: number, spec: Readonly<Record<string, unknown>> = {}): object {
  return { ...DRIVER, annotations: { [RUN_FOR]: "1s", [EXIT_CODE]: String(exitCode) }, ...spec };
}

const DRIVER = { serviceAccount: "spark" };

export const LIVES: readonly Life[] = [
  {
    name: "completes",
    async live(person) {
      await person.create({ driver: driverThat(0) });
      await person.waitFor("COMPLETED");
    },
    faults: [],
    attempts: { submission: 1, execution: 1 },
    drivers: { least: 1, most: 1 },
  },
  {
    name: "fails and is tried again twice",
    async live(person) {
      const restartPolicy = { type: "OnFailure", onFailureRetries: 2, onFailureRetryInterval: 1 };
      await person.create({ driver: driverThat(1), restartPolicy });
      await person.waitFor("FAILED");
    },
    faults: ["FAILING", "FAILED"],
    attempts: { submission: 3, execution: 3 },
    drivers: { least: 3, most: 3 },
  },
  {
    name: "is edited while it runs",
    async live(person) {
      await person.create({ driver: DRIVER });
      await person.waitFor("RUNNING");
      await person.edit({ arguments: ["2"], driver: driverThat(0) });
      await person.waitFor("COMPLETED");
    },
    faults: [],
    attempts: { submission: 1, execution: 1 },
    drivers: { least: 2, most: 2 },
  },
  {
    name: "is edited while it is submitted",
    async live(person) {
      await person.create({ driver: DRIVER });
      await person.waitForDriver();
      await person.edit({ arguments: ["2"], driver: driverThat(0) });
      await person.waitFor("COMPLETED");
    },
    faults: [],
    attempts: { submission: 1, execution: 1 },
    drivers: { least: 2, most: 2 },
  },
  {
    name: "is suspended and resumed",
    async live(person) {
      await person.create({ driver: DRIVER });
      await person.waitFor("RUNNING");
      await person.edit({ suspend: true });
      await person.waitFor("SUSPENDED");
      await person.edit({ suspend: false });
      await person.waitFor("RUNNING", 2);
      await person.endDriver(0);
      await person.waitFor("COMPLETED");
    },
    faults: [],
    attempts: { submission: 2, execution: 2 },
    drivers: { least: 2, most: 2 },
  },
  {
    name: "expires",
    async live(person) {
      await person.create({ driver: driverThat(0), timeToLiveSeconds: 1 });
      await person.waitUntilGone();
    },
    faults: [],
    attempts: undefined,
    drivers: { least: 1, most: 1 },
  },
  {
    name: "has no account at first",
    async live(person) {
      const restartPolicy = {
        type: "OnFailure",
        onSubmissionFailureRetries: 1,
        onSubmissionFailureRetryInterval: 20,
      };
      await person.create({ driver: driverThat(0, { serviceAccount: "late" }), restartPolicy });
      await person.waitFor("SUBMISSION_FAILED");
      await person.makeAccount("late");
      await person.waitFor("COMPLETED");
    },
    faults: ["SUBMISSION_FAILED"],
    attempts: { submission: 2, execution: 1 },
    drivers: { least: 1, most: 1 },
  },
  {
    name: "is removed while it is submitted",
    async live(person) {
      await person.create({ driver: DRIVER });
      await person.waitForDriver();
      await person.remove();
      await person.waitUntilGone();
    },
    faults: [],
    attempts: undefined,
    drivers: { least: 1, most: 1 },
  },
];
