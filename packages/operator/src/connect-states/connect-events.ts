import type { ConnectState, SparkConnect } from "@kindling/spark-application";
import { normal, warning, type ApplicationEvent } from "../application-states/application-event.ts";

/** The events for a server that enters a state. Stock has none. */
export function connectEvents(
  { metadata: { name, namespace }, status: before }: SparkConnect,
  { state, why, serviceName }: { readonly state: ConnectState; readonly why: string; readonly serviceName: string },
): readonly ApplicationEvent[] {
  if (state === (before.state ?? "")) return [];
  const subject = `SparkConnect ${name}`;
  const events: Partial<Record<ConnectState, ApplicationEvent>> = {
    Provisioning: normal("SparkConnectProvisioning", `${subject} gets a server pod`),
    Ready: normal("SparkConnectReady", `${subject} is ready: sc://${serviceName}.${namespace}.svc:15002`),
    NotReady: warning("SparkConnectNotReady", `${subject} is not ready: ${why}`),
    Failed: warning("SparkConnectFailed", `${subject} failed: ${why}`),
  };
  const event = events[state];
  return event === undefined ? [] : [event];
}

export function stoppedEvent(name: string, why: string): ApplicationEvent {
  return normal("SparkConnectStopped", `SparkConnect ${name}: ${why}`);
}

export function expiredEvent(name: string, ttl: string): ApplicationEvent {
  return normal("SparkConnectExpired", `SparkConnect ${name} is deleted: its time to live of ${ttl} is over`);
}
