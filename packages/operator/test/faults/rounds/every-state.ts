import { type ApplicationState, customResources } from "@kindling/spark-application";
import { makeNamespace } from "../../../src/testing/rounds/namespaces.ts";
import { NAME, personWith, type Person } from "../../../src/testing/rounds/person.ts";
import type { Stage } from "../../../src/testing/rounds/stage.ts";

const RUN_FOR = "hollow.devcluster.kindling/run-for";
const EXIT_CODE = "hollow.devcluster.kindling/exit-code";
const START_AFTER = "hollow.devcluster.kindling/start-after";
const DRIVER = { serviceAccount: "spark" };
/** A driver that ends well by itself; also used as a merge patch. */
export const ENDS = { ...DRIVER, annotations: { [RUN_FOR]: "1s", [EXIT_CODE]: "0", [START_AFTER]: "0s" } };
const FAILS = { ...DRIVER, annotations: { [RUN_FOR]: "1s", [EXIT_CODE]: "1" } };
const IN_AN_HOUR = { type: "OnFailure", onFailureRetries: 3, onSubmissionFailureRetries: 3 };
const LATE = { ...IN_AN_HOUR, onFailureRetryInterval: 3600, onSubmissionFailureRetryInterval: 3600 };

interface Course {
  readonly state: ApplicationState;
  /** Brings an application into the state, or into one before it. */
  readonly reach: (person: Person) => Promise<void>;
  /** Whether the operator writes this state only on the way to another one: a killed operator may leave it behind. */
  readonly isOnTheWay?: boolean;
}

async function running(person: Person): Promise<void> {
  await person.create({ driver: DRIVER });
  await person.waitFor("RUNNING");
}

/** Every state that an application may be in. */
export const COURSES: readonly Course[] = [
  {
    state: "SUBMITTED",
    async reach(person) {
      await person.create({
        driver: { ...DRIVER, annotations: { [START_AFTER]: "1000m" } },
      });
      await person.waitFor("SUBMITTED");
    },
  },
  { state: "RUNNING", reach: running },
  {
    state: "COMPLETED",
    async reach(person) {
      await person.create({ driver: ENDS });
      await person.waitFor("COMPLETED");
    },
  },
  {
    state: "FAILED",
    async reach(person) {
      await person.create({ driver: FAILS });
      await person.waitFor("FAILED");
    },
  },
  {
    state: "FAILING",
    async reach(person) {
      await person.create({ driver: FAILS, restartPolicy: LATE });
      await person.waitFor("FAILING");
    },
  },
  {
    state: "SUBMISSION_FAILED",
    async reach(person) {
      await person.create({ driver: { serviceAccount: "nobody" }, restartPolicy: LATE });
      await person.waitFor("SUBMISSION_FAILED");
    },
  },
  {
    state: "SUSPENDED",
    async reach(person) {
      await person.create({ suspend: true });
      await person.waitFor("SUSPENDED");
    },
  },
  ...(["SUCCEEDING", "INVALIDATING", "PENDING_RERUN", "SUSPENDING", "RESUMING", "UNKNOWN"] as const).map(
    (state): Course => ({ state, reach: running, isOnTheWay: true }),
  ),
];

/** An application that is in a state. */
export interface Place extends Course {
  readonly namespace: string;
  readonly person: Person;
}

/** An application in each state. */
export async function applicationsInEachState(stage: Stage, courses: readonly Course[]): Promise<Place[]> {
  return await Promise.all(
    courses.map(async (course) => {
      const namespace = course.state.toLowerCase().replaceAll("_", "-");
      await makeNamespace(stage, namespace);
      const person = personWith(stage, namespace);
      await course.reach(person);
      return { ...course, namespace, person };
    }),
  );
}

/** Leaves an application in the state that an operator was about to leave. */
export async function leaveInState(stage: Stage, { namespace, state, isOnTheWay = false }: Place): Promise<void> {
  if (!isOnTheWay) return;
  const status = { applicationState: { state } };
  const options = { namespace, subresource: "status" };
  await stage.client.patch(customResources.sparkApplications, NAME, "merge", { status }, options);
}
