import { allowsNamespace, harmlessText, KindlingError, type SparkConf } from "@kindling/core-spec";
import { NAMESPACE, SCHEDULER, SCHEDULER_PRIORITY, SCHEDULER_QUEUE, SCHEDULER_URI } from "@kindling/steps";
import type { Installation } from "./installation.ts";
import type { OfferedQueue } from "./offered-queues.ts";

/** Where the gateway puts applications that name no queue. */
const DEFAULT_QUEUE = "default";
const MOST_NAMED = 10;

/**
 * Refuses a submission to a queue that the installation does not have, or that its namespace may not use: its driver would
 * wait at its scheduling gate. A rule about labels that cannot be seen is left to the gateway. The queues of another gateway
 * are not known. If the installation publishes no queues, those of its gateway are not known either.
 *
 * @returns a notice if the queue uses another priority than the one in the configuration
 * @throws KindlingError `CONF_CONFLICT` that names the queues that the namespace may use
 */
export function checkQueue(installation: Installation | undefined, conf: SparkConf): string | undefined {
  if (conf.get(SCHEDULER) !== "gateway" || installation?.entries[SCHEDULER_URI.key] === undefined) return undefined;
  const { queues = [] } = installation;
  const named = conf.get(SCHEDULER_QUEUE);
  const path = named ?? DEFAULT_QUEUE;
  if (queues.length === 0) return undefined;
  const queue = queues.find((one) => one.path === path);
  const namespace = conf.get(NAMESPACE);
  const mayUse = (one: OfferedQueue): boolean => isAllowed(one, namespace, installation.namespaceLabels);
  if (queue === undefined) throw refused(named, missing(path, queues), queues.filter(mayUse));
  if (!mayUse(queue)) throw refused(named, notAllowed(named, path, namespace), queues.filter(mayUse));
  return priorityRemark(queue, conf);
}

/** Whether any queue checks labels of namespaces. */
export function asksForLabels({ queues = [] }: Installation): boolean {
  return queues.some(({ namespaces }) => namespaces.some(({ kind }) => kind === "labels"));
}

function isAllowed({ namespaces }: OfferedQueue, name: string, labels: Installation["namespaceLabels"]): boolean {
  return namespaces.every(
    (rule) => (rule.kind === "labels" && labels === undefined) || allowsNamespace(rule, { name, labels }),
  );
}

function missing(path: string, queues: readonly OfferedQueue[]): string {
  const isAbove = queues.some((one) => one.path.startsWith(`${path}.`));
  return isAbove
    ? `applications are in the queues below queue ${harmlessText(path)}, not in it`
    : `the gateway has no queue ${harmlessText(path)}`;
}

function notAllowed(named: string | undefined, path: string, namespace: string): string {
  return `namespace ${namespace} may not use ${named === undefined ? `queue ${path}` : "this queue"}`;
}

function refused(named: string | undefined, why: string, others: readonly OfferedQueue[]): KindlingError {
  const paths = others.map((one) => one.path);
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  const hint =
    paths.length === 0
      ? "there is no queue that it may use; whoever runs the gateway says which namespaces may use a queue"
      : `it may use ${paths.slice(0, MOST_NAMED).join(", ")}${more}; whoever runs the gateway says which namespaces may use a queue`;
  const what = named === undefined ? " is not set, and " : `=${harmlessText(named)}: `;
  return new KindlingError("CONF_CONFLICT", `${SCHEDULER_QUEUE.key}${what}${why}`, { hint });
}

function priorityRemark({ path, leastPriority, mostPriority }: OfferedQueue, conf: SparkConf): string | undefined {
  if (conf.raw(SCHEDULER_PRIORITY.key) === undefined) return undefined;
  const asked = conf.get(SCHEDULER_PRIORITY);
  const taken = Math.min(Math.max(asked, leastPriority), mostPriority);
  if (taken === asked) return undefined;
  const bound = taken < asked ? "at most" : "at least";
  return `${SCHEDULER_PRIORITY.key}=${asked}: queue ${path} has priorities of ${bound} ${taken}, and that is what counts`;
}
