import { runDriverSteps, type KubernetesDriverSpec } from "@kindling/core-spec";
import { sampleSubmission, type SampleOptions } from "@kindling/core-spec/testing";
import { initialDriverSpec, selectSteps } from "../../../src/index.ts";

export const KEY = "spark.kindling.scheduler";
export const GATEWAY: Readonly<Record<string, string>> = {
  [KEY]: "gateway",
  [`${KEY}.uri`]: "https://kindling-gateway.spark-system.svc:8443",
};

export interface DriverOptions extends SampleOptions {
  /** The driver's pod template. */
  readonly template?: object;
}

/** The result of the whole chain for a submission to the gateway. */
export function gatewayDriver({ conf = {}, ...options }: DriverOptions = {}): KubernetesDriverSpec {
  return driver({ ...options, conf: { ...GATEWAY, ...conf } });
}

/** The result of the whole chain for a submission. */
export function driver(
  { template, ...options }: DriverOptions = {},
  notice: (message: string) => void = () => {},
): KubernetesDriverSpec {
  const submission = { ...sampleSubmission(options), notice };
  const given = template && { content: template, origin: "template", containerName: undefined };
  const own = Object.entries(submission.conf.entries).filter(([key]) => !key.startsWith("spark.kindling."));
  const initial = initialDriverSpec(Object.fromEntries(own), given, notice);
  return runDriverSteps(initial, submission, selectSteps(submission.conf, "driver")).spec;
}
