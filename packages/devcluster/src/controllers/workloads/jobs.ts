import { type Condition, formatTime } from "@kindling/kube-objects";
import { ApiError } from "@kindling/api-server";
import type { Job, JobStatus } from "../../objects/batch.ts";
import { isTrue, setCondition } from "../../objects/conditions.ts";
import { isFinished, type Pod } from "../../objects/pod.ts";
import { QueueController } from "../queue-controller.ts";
import { isControlledBy, isReady, podFromTemplate } from "./owned-pods.ts";

const SOURCE = { component: "job-controller" };
/** A failed pod is replaced after a pause, which becomes longer (pkg/controller/job/backoff_utils.go). */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

/** How a Job has ended. */
interface Outcome {
  readonly condition: "Complete" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** Runs the pods of each Job until enough of them have succeeded, and deletes Jobs that have ended if they say so. */
export class JobController extends QueueController {
  override start(): void {
    const { store } = this.context.api;
    const jobs = store.collection("jobs.batch");
    this.follow(jobs, ({ object }) => this.add(object.object));
    this.follow(store.collection("pods"), ({ object: { object } }) => {
      const { namespace = "", ownerReferences = [] } = object.metadata;
      for (const { kind, name, controller } of ownerReferences)
        if (controller === true && kind === "Job") this.queue.add(`${namespace}/${name}`);
    });
    for (const { object } of jobs.list()) this.add(object);
  }

  protected override sync(key: string): void {
    const stored = this.context.api.store.collection("jobs.batch").getByKey(key);
    const job = stored?.object as Job | undefined;
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return;
    if (hasEnded(job)) return this.#expire(key, job);
    const pods = this.#podsOf(job);
    const active = pods.filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined);
    const counted = countsOf(job, pods);
    const outcome = this.#outcomeOf(key, job, counted);
    if (outcome !== undefined || job.spec.suspend === true) {
      for (const { metadata } of active) this.writer.delete(this.context.api.types.builtIn("pods"), metadata);
    }
    const started = job.status.startTime !== undefined || job.spec.suspend === true;
    const created = outcome === undefined && started ? this.#createMissing(key, job, active, { pods, ...counted }) : 0;
    this.#report(job, outcome, {
      ...counted,
      active: outcome === undefined ? active.length + created : 0,
      pods: active,
    });
  }

  #podsOf(job: Job): Pod[] {
    return [...this.context.api.store.collection("pods").list(job.metadata.namespace)]
      .map(({ object }) => object as Pod)
      .filter((pod) => isControlledBy(pod, job));
  }

  #outcomeOf(key: string, { spec, status }: Job, { succeeded, failed }: Counts): Outcome | undefined {
    if (succeeded >= wantedOf(spec))
      return {
        condition: "Complete",
        reason: "CompletionsReached",
        message: "Reached expected number of succeeded pods",
      };
    if (failed > (spec.backoffLimit ?? 6))
      return {
        condition: "Failed",
        reason: "BackoffLimitExceeded",
        message: "Job has reached the specified backoff limit",
      };
    const { activeDeadlineSeconds: seconds } = spec;
    if (seconds === undefined || status.startTime === undefined || spec.suspend === true) return undefined;
    const left = Date.parse(status.startTime) + seconds * 1000 - this.context.api.clock.now();
    if (left > 0) {
      this.queue.addAfter(key, left);
      return undefined;
    }
    return {
      condition: "Failed",
      reason: "DeadlineExceeded",
      message: "Job was active longer than specified deadline",
    };
  }

  /** Returns how many pods it has created. */
  #createMissing(key: string, job: Job, active: readonly Pod[], { pods, succeeded, failed }: Counts & Owned): number {
    if (job.spec.suspend === true) return 0;
    const missing = Math.min(job.spec.parallelism ?? 1, wantedOf(job.spec) - succeeded) - active.length;
    if (missing <= 0) return 0;
    const pause = this.#pauseAfter(pods, failed);
    if (pause > 0) {
      this.queue.addAfter(key, pause);
      return 0;
    }
    for (let count = 0; count < missing; count += 1) this.#create(job);
    return missing;
  }

  #pauseAfter(pods: readonly Pod[], failed: number): number {
    if (failed === 0) return 0;
    const ends = pods.flatMap(({ status }) =>
      status.phase === "Failed"
        ? (status.containerStatuses ?? []).map(({ state }) => state.terminated?.finishedAt)
        : [],
    );
    const last = Math.max(0, ...ends.map((time) => Date.parse(time ?? "") || 0));
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failed - 1), LONGEST_PAUSE_MS);
    return last + pause - this.context.api.clock.now();
  }

  #create(job: Job): void {
    const { events, api } = this.context;
    const wanted = podFromTemplate(job, job.spec.template, { generateName: `${job.metadata.name}-` });
    try {
      const pod = this.writer.create(api.types.builtIn("pods"), job.metadata.namespace, wanted);
      const message = `Created pod: ${pod.metadata.name}`;
      events.record({ about: job, type: "Normal", reason: "SuccessfulCreate", message, source: SOURCE });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `Error creating: ${error.message}`;
      events.record({ about: job, type: "Warning", reason: "FailedCreate", message, source: SOURCE });
      throw error;
    }
  }

  #report(job: Job, outcome: Outcome | undefined, counts: Counts & Owned & { readonly active: number }): void {
    const { clock, types } = this.context.api;
    const now = formatTime(clock.now());
    const suspended = job.spec.suspend === true;
    const { active, succeeded, failed, pods } = counts;
    this.writer.updateStatus<Job>(types.builtIn("jobs", "batch"), job.metadata, ({ status }) => ({
      ...(status.conditions !== undefined && { conditions: status.conditions }),
      ...(!suspended && { startTime: status.startTime ?? now }),
      // Kubernetes leaves out a count of 0.
      ...(active > 0 && { active }),
      ...(succeeded > 0 && { succeeded }),
      ...(failed > 0 && { failed }),
      ready: active === 0 ? 0 : pods.filter(isReady).length,
      terminating: 0,
      ...(outcome !== undefined && { conditions: conditionsOf(status, outcome, clock.now()) }),
      ...(outcome?.condition === "Complete" && { completionTime: now }),
    }));
    if (outcome === undefined) return;
    const type = outcome.condition === "Complete" ? "Normal" : "Warning";
    const [reason, message] = type === "Normal" ? ["Completed", "Job completed"] : [outcome.reason, outcome.message];
    this.context.events.record({ about: job, type, reason, message, source: SOURCE });
  }

  #expire(key: string, { metadata, spec, status }: Job): void {
    const { ttlSecondsAfterFinished: seconds } = spec;
    if (seconds === undefined) return;
    const ended = status.conditions?.find(({ type }) => type === "Complete" || type === "Failed")?.lastTransitionTime;
    const left = Date.parse(ended ?? "") + seconds * 1000 - this.context.api.clock.now();
    if (left > 0) return this.queue.addAfter(key, left);
    this.writer.delete(this.context.api.types.builtIn("jobs", "batch"), metadata, { propagationPolicy: "Background" });
  }
}

interface Counts {
  readonly succeeded: number;
  readonly failed: number;
}

interface Owned {
  readonly pods: readonly Pod[];
}

/** Pods that somebody has deleted since count as well. */
function countsOf({ status }: Job, pods: readonly Pod[]): Counts {
  const of = (phase: string): number => pods.filter((pod) => pod.status.phase === phase).length;
  return {
    succeeded: Math.max(status.succeeded ?? 0, of("Succeeded")),
    failed: Math.max(status.failed ?? 0, of("Failed")),
  };
}

function wantedOf({ completions, parallelism }: Job["spec"]): number {
  return completions ?? parallelism ?? 1;
}

function hasEnded({ status: { conditions } }: Job): boolean {
  return isTrue(conditions, "Complete") || isTrue(conditions, "Failed");
}

function conditionsOf({ conditions = [] }: JobStatus, outcome: Outcome, now: number): Condition[] {
  const { condition, reason, message } = outcome;
  const first = condition === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
  return [first, condition].reduce(
    (all, type) => setCondition(all, { type, status: "True", reason, message }, now),
    [...conditions],
  );
}
