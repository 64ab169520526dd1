/** Configuration, accounts and events, in the notation of `parse-schema.ts`. */
export const configTypes = `
package io.k8s.api.core.v1
ConfigMap
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  immutable?: *bool
  data?: {}string
  binaryData?: {}bytes
Secret
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  immutable?: *bool
  data?: {}bytes
  stringData?: {}string
  type?: string = "Opaque"
ServiceAccount
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  secrets?: []ObjectReference @map(name) ^name
  imagePullSecrets?: []LocalObjectReference @atomic
  automountServiceAccountToken?: *bool
Event
  kind?: string
  apiVersion?: string
  metadata!: ObjectMeta
  involvedObject!: ObjectReference
  reason?: string
  message?: string
  source?: EventSource
  firstTimestamp?: Time
  lastTimestamp?: Time
  count?: int32
  type?: string
  eventTime?: MicroTime
  series?: *EventSeries
  action?: string
  related?: *ObjectReference
  reportingComponent: string
  reportingInstance: string
EventSource
  component?: string
  host?: string
EventSeries
  count?: int32
  lastObservedTime?: MicroTime
`;
