import type { SparkApplication } from "@kindling/spark-application";
import type { BatchSchedulerSettings } from "../../flags/operator-settings.ts";
import { PreparationError } from "../preparation-error.ts";
import { kubeScheduler } from "./kube-scheduler.ts";
import type { Scheduled } from "./scheduled.ts";
import { SchedulingFault } from "./scheduling-fault.ts";
import { volcano } from "./volcano.ts";
import { yunikorn } from "./yunikorn.ts";

/**
 * Prepares an application for the batch scheduler that it names, or that the operator names for all (kubeflow/
 * spark-operator v2.5.2, internal/controller/sparkapplication/controller.go, `shouldDoBatchScheduling`). Nothing happens
 * if batch schedulers are not enabled in the operator.
 *
 * @throws PreparationError if there is no such scheduler, or it cannot be told what the application needs
 */
export function batchScheduled(application: SparkApplication, settings: BatchSchedulerSettings): Scheduled {
  const { batchScheduler = "" } = application.spec;
  const name = batchScheduler === "" ? (settings.default ?? "") : batchScheduler;
  if (!settings.enabled || name === "") return { application, objects: [] };
  const schedule = scheduler(name, settings);
  if (schedule === undefined)
    throw new PreparationError(
      // Stock prints an error that is nil here.
      `failed during batch scheduler setup or check: failed to get scheduler ${name}: <nil>`,
      "batchScheduler can be volcano, yunikorn or one of the operator's --kube-scheduler-names",
    );
  try {
    return schedule(application);
  } catch (error) {
    if (!(error instanceof SchedulingFault)) throw error;
    throw new PreparationError(
      `failed to process batch scheduler: ${error.message}`,
      "write sizes as Spark does, such as 512m or 4g, and CPUs as Kubernetes does, such as 500m or 2",
    );
  }
}

function scheduler(
  name: string,
  { kubeSchedulerNames }: BatchSchedulerSettings,
): ((application: SparkApplication) => Scheduled) | undefined {
  if (kubeSchedulerNames.includes(name)) return kubeScheduler;
  if (name === "volcano") return volcano;
  return name === "yunikorn" ? yunikorn : undefined;
}
