// Pairs of pods of one application: one pod as Spark's own steps make it, before the stock webhook changes it, and one as our
// steps make it.
import type { Pod, Step, SubmitRequest } from "@kindling/core-spec";
import { executorTemplate, toRequest, translate, type Translation, webhookFields } from "@kindling/operator/testing";
import type { SparkApplication } from "@kindling/spark-application";
import { driverPod, executorPod, gatewayExecutorPod } from "./made-pods.ts";

const SUBMISSION = "00000000-0000-8000-8000-000000000001";

/** A driver, an executor that the gateway makes, or an executor that a stock driver makes from a template. */
export interface PodPair {
  readonly kind: "driver" | "gateway" | "template";
  readonly application: SparkApplication;
  /** Warnings about what a template cannot give to executors. */
  readonly warnings: readonly string[];
  readonly before: Pod;
  readonly ours: Pod;
}

/** The three pairs of an application. */
export async function podPairs(application: SparkApplication): Promise<PodPair[]> {
  const translation = translate(application, { submissionId: SUBMISSION });
  const request = (steps: readonly Step[], more: Partial<Translation> = {}): SubmitRequest => {
    const all = { ...translation, ...more, conf: [...translation.conf, ...(more.conf ?? [])] };
    return toRequest(all, { submissionId: SUBMISSION, steps });
  };
  const { template, conf, warnings } = executorTemplate(application, translation.executorTemplate);
  const onDriver = [webhookFields(application)];
  const onBoth = [webhookFields(application, { executors: true })];
  const same = { application, warnings };
  return [
    { kind: "driver", ...same, before: await driverPod(request([])), ours: await driverPod(request(onDriver)) },
    {
      ...{ kind: "gateway", ...same },
      before: await gatewayExecutorPod(request(onDriver)),
      ours: await gatewayExecutorPod(request(onBoth)),
    },
    {
      ...{ kind: "template", ...same },
      before: await executorPod(request(onDriver)),
      ours: await executorPod(request(onDriver, { executorTemplate: template, conf })),
    },
  ];
}
