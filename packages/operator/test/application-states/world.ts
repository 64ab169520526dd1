import type {
  ApplicationState,
  SparkApplication,
  SparkApplicationSpec,
  SparkApplicationStatus,
} from "@kindling/spark-application";
import type { PodRecord } from "../../src/pods/pod-record.ts";
import { afterSubmission } from "../../src/application-states/after-submission.ts";
import { decide } from "../../src/application-states/decide.ts";
import { application, NOW, pod, view } from "./views.ts";

/** One application in a cluster of its own, and an operator that may die at any point. */
export class World {
  stored: SparkApplication;
  driver: PodRecord | undefined;
  nowMs = NOW;
  /** How often a driver was made, by submission. */
  readonly made = new Map<string, number>();
  readonly states: ApplicationState[] = [""];
  #uids = 0;

  constructor(spec: Partial<SparkApplicationSpec>) {
    this.stored = application({}, spec);
  }

  get state(): ApplicationState {
    return this.stored.status.applicationState.state;
  }

  /**
   * The operator checks once.
   *
   * @param died where it died, if it did: before any action, or after the action and before the status was written
   * @returns when it wants to check again
   */
  look(died?: "before" | "between"): number | undefined {
    const drivers = this.driver === undefined ? [] : [this.driver];
    const decision = decide(view(this.stored, { drivers, nowMs: this.nowMs }));
    const { action, status } = decision;
    if (died === "before") return this.nowMs;
    if (action === undefined) {
      this.write(status);
      return decision.lookAgainAtMs;
    }
    switch (action.kind) {
      case "submit": {
        const isMade = this.submit(action.submissionId);
        if (died === "between") return this.nowMs;
        const attempt = { ...action, driverPodName: "pi-driver", startedAtMs: this.nowMs, endedAtMs: this.nowMs };
        this.write(
          afterSubmission(
            this.stored.status,
            attempt,
            isMade ? { kind: "submitted" } : { kind: "failed", message: "driver pod already exist" },
          ),
        );
        return this.nowMs;
      }
      case "delete-run":
        if (this.driver !== undefined && action.pods.includes(this.driver))
          this.driver = { ...this.driver, isDeleting: true };
        if (died === "between") return this.nowMs;
        this.write(action.afterwards);
        return decision.lookAgainAtMs ?? this.nowMs;
      case "delete-application":
      case "clean-up":
        return undefined;
    }
  }

  submit(submissionId: string): boolean {
    if (this.driver !== undefined) return this.driver.submissionId === submissionId;
    this.made.set(submissionId, (this.made.get(submissionId) ?? 0) + 1);
    this.#uids += 1;
    this.driver = pod({ submissionId, uid: `pod-${this.#uids}`, phase: "Pending" });
    return true;
  }

  write(status: SparkApplicationStatus): void {
    const { state } = status.applicationState;
    if (state !== this.state) this.states.push(state);
    this.stored = { ...this.stored, status };
  }

  edit(spec: Partial<SparkApplicationSpec>): void {
    const { metadata } = this.stored;
    this.stored = {
      ...this.stored,
      metadata: { ...metadata, generation: metadata.generation + 1 },
      spec: { ...this.stored.spec, ...spec },
    };
  }

  /** The kubelet moves the driver on: to running, to its end, or out of the cluster. */
  kubelet(exitCode: number): void {
    if (this.driver === undefined) return;
    if (this.driver.isDeleting) this.driver = undefined;
    else if (this.driver.phase === "Pending") this.driver = { ...this.driver, phase: "Running" };
    else if (this.driver.phase === "Running") {
      const terminated = { exitCode, reason: exitCode === 0 ? "Completed" : "Error", finishedAt: "" };
      this.driver = { ...this.driver, phase: exitCode === 0 ? "Succeeded" : "Failed", terminated };
    }
  }
}
