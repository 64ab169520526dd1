import { formatTime, type KubeObject } from "@kindling/api-server";

export interface PodEventText {
  /** The last part of the event's name: there is one such event for each pod, and it is found again after a restart. */
  readonly name: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

const COMPONENT = "kindling-gateway";
/** Kubernetes: a longer message is refused. */
const LONGEST_MESSAGE = 1024;

/** A Kubernetes event about a pod, as `kubectl describe` shows it. */
export function podEvent({ metadata: pod }: KubeObject, text: PodEventText): KubeObject {
  const { name, namespace, uid } = pod;
  return {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: `${name.slice(0, 200)}.${text.name}-${uid.slice(0, 8)}`, namespace } as KubeObject["metadata"],
    involvedObject: { kind: "Pod", apiVersion: "v1", name, namespace, uid },
    reason: text.reason,
    message: text.message.slice(0, LONGEST_MESSAGE),
    type: "Normal",
    count: text.count,
    firstTimestamp: formatTime(text.first),
    lastTimestamp: formatTime(text.last),
    source: { component: COMPONENT },
    reportingComponent: COMPONENT,
    reportingInstance: "",
  };
}
