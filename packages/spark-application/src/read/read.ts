import { API_VERSION, CONNECT_API_VERSION } from "../custom-resources.ts";
import type { ScheduledSparkApplication } from "../scheduled-spark-application.ts";
import { SPARK_APPLICATION } from "../objects/application-shape.ts";
import { SPARK_CONNECT } from "../objects/connect-shape.ts";
import { Faults, type Place } from "../shapes/faults.ts";
import { isJsonObject, readShape } from "../shapes/read-shape.ts";
import { SCHEDULED_SPARK_APPLICATION } from "../objects/schedule-shape.ts";
import type { Shape } from "../shapes/shape.ts";
import type { SparkApplication } from "../spark-application.ts";
import type { SparkConnect } from "../spark-connect.ts";
import { APPLICATION_STATES, type SparkApplicationStatus } from "../status.ts";

/**
 * Reads a SparkApplication as the API server serves it. Never throws. A field of another form than the custom resource
 * definition allows is left out, and so is an entry of a list or a map; each becomes a fault that says where it is, what
 * was expected and what was found: `spec.driver.cores: expected a whole number …, found "two"`. Only those parts of pods
 * are checked that this package uses. Unknown fields are left out without a fault.
 *
 * A fault of the spec begins with `spec`: the rest may not be what its author wants, and should not be run. In the
 * status, an unknown state becomes UNKNOWN if there is a submission id: the application has been submitted, and the state
 * of a new one would submit it again beside its driver. UNKNOWN lets the driver decide. Without a submission id there can
 * be no driver, and the state becomes that of a new application. A missing or empty state does the same: people use it to
 * start a new run by hand.
 */
export function readSparkApplication(object: unknown): {
  readonly application: SparkApplication;
  readonly faults: readonly string[];
} {
  const faults = new Faults();
  const { status, ...rest } = readObject(SPARK_APPLICATION, object, faults);
  return {
    application: { apiVersion: API_VERSION, kind: "SparkApplication", ...rest, status: withSafeState(status, object) },
    faults: faults.all,
  };
}

/** The same for a ScheduledSparkApplication. */
export function readScheduledSparkApplication(object: unknown): {
  readonly schedule: ScheduledSparkApplication;
  readonly faults: readonly string[];
} {
  const faults = new Faults();
  const read = readObject(SCHEDULED_SPARK_APPLICATION, object, faults);
  return {
    schedule: { apiVersion: API_VERSION, kind: "ScheduledSparkApplication", ...read },
    faults: faults.all,
  };
}

/** The same for a SparkConnect. A state that is unknown is that of a new object: the server's pod decides. */
export function readSparkConnect(object: unknown): {
  readonly connect: SparkConnect;
  readonly faults: readonly string[];
} {
  const faults = new Faults();
  const read = readObject(SPARK_CONNECT, object, faults);
  return { connect: { apiVersion: CONNECT_API_VERSION, kind: "SparkConnect", ...read }, faults: faults.all };
}

const ROOT: Place = { up: undefined, kind: "member", step: "" };

/** These shapes have a default for each member, so that an empty object can be read. */
function readObject<T>(shape: Shape<T>, object: unknown, faults: Faults): T {
  const isObject = isJsonObject(object);
  if (!isObject) faults.add({ ...ROOT, step: "the object" }, shape, object);
  return readShape(shape, isObject ? object : {}, ROOT, isObject ? faults : new Faults()) as T;
}

function withSafeState(status: SparkApplicationStatus, object: unknown): SparkApplicationStatus {
  if (status.submissionID === undefined || isReadableState(object)) return status;
  return { ...status, applicationState: { ...status.applicationState, state: "UNKNOWN" } };
}

function isReadableState(object: unknown): boolean {
  const stored = member(member(object, "status"), "applicationState");
  if (stored !== undefined && stored !== null && !isJsonObject(stored)) return false;
  const state = member(stored, "state") ?? "";
  return APPLICATION_STATES.some((one) => one === state);
}

function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
