/** Jobs, in the notation of `parse-schema.ts`. */
export const batchTypes = `
package io.k8s.api.batch.v1
Job
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec?: JobSpec #2
  status?: JobStatus #3
JobSpec
  parallelism?: *int32 #1
  completions?: *int32 #2
  activeDeadlineSeconds?: *int64 #3
  backoffLimit?: *int32 #7 = 6
  selector?: *LabelSelector #4
  manualSelector?: *bool #5
  template!: PodTemplateSpec #6
  ttlSecondsAfterFinished?: *int32 #8
  completionMode?: *string #9 = "NonIndexed"
  suspend?: *bool #10 = false
  podReplacementPolicy?: *string #14 = "TerminatingOrFailed"
JobStatus
  conditions?: []JobCondition @atomic #1
  startTime?: *Time #2
  completionTime?: *Time #3
  active?: int32 #4
  succeeded?: int32 #5
  failed?: int32 #6
  terminating?: *int32 #11
  ready?: *int32 #9
JobCondition
  type!: string #1
  status!: string #2
  lastProbeTime?: Time #3
  lastTransitionTime?: Time #4
  reason?: string #5
  message?: string #6
`;
