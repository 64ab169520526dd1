/** Configuration, accounts and events, in the notation of `parse-schema.ts`. */
export const configTypes = `
package io.k8s.api.core.v1
ConfigMap
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  immutable?: *bool #4
  data?: {}string #2
  binaryData?: {}bytes #3
Secret
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  immutable?: *bool #5
  data?: {}bytes #2
  stringData?: {}string #4
  type?: string #3 = "Opaque"
ServiceAccount
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  secrets?: []ObjectReference @map(name) ^name #2
  imagePullSecrets?: []LocalObjectReference @atomic #3
  automountServiceAccountToken?: *bool #4
Event
  kind?: string
  apiVersion?: string
  metadata!: ObjectMeta #1
  involvedObject!: ObjectReference #2
  reason?: string #3
  message?: string #4
  source?: EventSource #5
  firstTimestamp?: Time #6
  lastTimestamp?: Time #7
  count?: int32 #8
  type?: string #9
  eventTime?: MicroTime #10
  series?: *EventSeries #11
  action?: string #12
  related?: *ObjectReference #13
  reportingComponent: string #14
  reportingInstance: string #15
EventSource
  component?: string #1
  host?: string #2
EventSeries
  count?: int32 #1
  lastObservedTime?: MicroTime #2
`;
