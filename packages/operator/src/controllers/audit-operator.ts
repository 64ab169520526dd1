import type { AuditEvent, AuditLog } from "@kindling/service";
import type { ApplicationState, SparkApplication, SparkApplicationStatus } from "@kindling/spark-application";

/** Writes what the operator decides. It does not know who made an application: the API server's own audit log does. */
export interface OperatorAudit {
  /** A status was written; most of them tell what Spark does, and are no decisions. */
  entered(application: Pick<SparkApplication, "metadata" | "status">, status: SparkApplicationStatus): void;
  /** Something was deleted: a run (its driver), an application, a Connect server or the object that it belongs to. */
  deleted(resource: "pods" | "sparkapplications" | "sparkconnects", object: AuditedApplication, reason: string): void;
  /** A schedule has made the application of its next run. */
  scheduled(run: AuditedApplication, schedule: string): void;
}

/** An application by its names. */
export interface AuditedApplication {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

type Entered = Pick<AuditEvent, "verb" | "decision" | "reason">;

/** The states that an application enters because the operator has decided or done something. */
const ENTERED: Readonly<Partial<Record<ApplicationState, Entered>>> = {
  SUBMITTED: { verb: "submit", decision: "allow", reason: "the driver was made" },
  SUBMISSION_FAILED: { verb: "submit", decision: "error" },
  INVALIDATING: { verb: "rerun", decision: "allow", reason: "the specification has changed" },
  PENDING_RERUN: { verb: "rerun", decision: "allow", reason: "the restart policy asks for another run" },
  SUSPENDING: { verb: "suspend", decision: "allow", reason: "spec.suspend is true" },
  RESUMING: { verb: "resume", decision: "allow", reason: "spec.suspend is false" },
};

export function auditOperator(log: AuditLog): OperatorAudit {
  return {
    entered({ metadata: { namespace, name, uid }, status: before }, { applicationState, submissionID }) {
      const { state, errorMessage } = applicationState;
      const entered = ENTERED[state];
      if (entered === undefined) return;
      if (state === before.applicationState.state && submissionID === before.submissionID) return;
      const object = { namespace, application: name, resource: "sparkapplications", name, uid };
      log.write({
        ...entered,
        object,
        ...(errorMessage !== undefined && errorMessage !== "" && { reason: errorMessage }),
      });
    },
    deleted(resource, { namespace, name, uid }, reason) {
      log.write({
        verb: "delete",
        decision: "allow",
        reason,
        object: { namespace, application: name, resource, name, uid },
      });
    },
    scheduled({ namespace, name }, schedule) {
      const object = { namespace, application: name, resource: "sparkapplications", name };
      log.write({ verb: "create", decision: "allow", reason: `a run of the schedule ${schedule} is due`, object });
    },
  };
}
