import { type KubeClient, resources } from "@kindling/kube";
import { applicationReport, type Cause } from "@kindling/submit";
import type { DriverRecord } from "./driver-record.ts";

export interface NotReady {
  /** One sentence, from the driver's pod, its events and the end of its log. */
  readonly text: string;
  /** Whether waiting does not help: somebody has to change the profile or the cluster. */
  readonly needsPerson: boolean;
}

const NEED_PERSON: ReadonlySet<Cause> = new Set<Cause>([
  "ImagePull",
  "WrongImage",
  "ContainerConfig",
  "JavaOptions",
  "CrashLoop",
]);

/**
 * Finds out why a driver does not accept calls.
 *
 * @param what a clause for the sentence: "is not ready"
 * @param now milliseconds since the epoch
 */
export async function whyNotReady(
  client: KubeClient,
  record: DriverRecord | undefined,
  what: string,
  now: number,
): Promise<NotReady> {
  if (record === undefined) return { text: "the driver's pod is not there", needsPerson: false };
  const { namespace, name } = record;
  const subject = `driver ${name} in namespace ${namespace} ${what}`;
  try {
    const pod = await client.get(resources.pods, name, { namespace });
    const { diagnosis } = await applicationReport(client, pod, { now });
    const [finding] = diagnosis.findings;
    if (finding === undefined) return { text: `${subject}: ${diagnosis.state}`, needsPerson: false };
    return { text: `${subject}: ${finding.summary}`, needsPerson: NEED_PERSON.has(finding.cause) };
  } catch {
    // The pod is gone, or this account may not read its log.
    return { text: subject, needsPerson: false };
  }
}
