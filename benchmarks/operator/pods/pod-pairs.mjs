// Pods of one application: as Spark's own steps make them, which stock's webhook has still to change, and as ours do.
import { driverPod, executorPod, gatewayExecutorPod } from "./made-pods.mjs";

const SUBMISSION = "00000000-0000-8000-8000-000000000001";

/** Modules of the operator's source that this needs. */
export const MODULES = [
  "translate/translate.ts",
  "translate/request.ts",
  "webhook-fields/webhook-fields.ts",
  "webhook-fields/executor-template.ts",
];

/**
 * A driver, an executor that the gateway makes, and one that a stock driver makes from a template.
 *
 * @param {object} operator what {@link MODULES} export
 * @returns {Promise<{kind: "driver" | "gateway" | "template", application: object, warnings: string[], before: object, ours: object}[]>}
 */
export async function podPairs(application, { translate, toRequest, webhookFields, executorTemplate }) {
  const translation = translate(application, { submissionId: SUBMISSION });
  const request = (steps, more = {}) => {
    const all = { ...translation, ...more, conf: [...translation.conf, ...(more.conf ?? [])] };
    return toRequest(all, { submissionId: SUBMISSION, steps });
  };
  const { template, conf, warnings } = executorTemplate(application, translation.executorTemplate);
  const onDriver = [webhookFields(application)];
  const onBoth = [webhookFields(application, { executors: true })];
  const pairs = [
    { kind: "driver", before: await driverPod(request([])), ours: await driverPod(request(onDriver)) },
    {
      kind: "gateway",
      before: await gatewayExecutorPod(request(onDriver)),
      ours: await gatewayExecutorPod(request(onBoth)),
    },
    {
      kind: "template",
      before: await executorPod(request(onDriver)),
      ours: await executorPod(request(onDriver, { executorTemplate: template, conf })),
    },
  ];
  return pairs.map((pair) => ({ ...pair, application, warnings }));
}
