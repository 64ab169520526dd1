/**
 * For tests and for comparisons with other operators: each step between an application and its objects, and lives of
 * applications with an operator that is killed. It may change with any release.
 *
 * @module
 */
export { toArguments, type ArgumentPlaces } from "../translate/arguments.ts";
export { toRequest, type RequestExtras } from "../translate/request.ts";
export { translate } from "../translate/translate.ts";
export type { ConfEntry, Translation } from "../translate/translation.ts";
export { executorTemplate, type ExecutorTemplate } from "../webhook-fields/executor-template.ts";
export { webhookFields, type WebhookFieldsOptions } from "../webhook-fields/webhook-fields.ts";
export {
  applicationObjects,
  type ApplicationObjects,
  type ApplicationObjectsContext,
} from "../resources/application-objects.ts";
export { serverPod } from "../connect-server/server-pod.ts";
export { serverService, templateMap } from "../connect-server/server-service.ts";
export { webUiOf } from "../resources/ui-service.ts";
export { nextTime } from "../schedule/cron/next-time.ts";
export {
  parseSchedule,
  type CronSchedule,
  type DelaySchedule,
  type Schedule,
  type ScheduleZones,
} from "../schedule/cron/parse-schedule.ts";
export { createTimeZones, type TimeZone, type TimeZones } from "../schedule/cron/time-zones.ts";
export type { Death } from "./life.ts";
export { type Bystander, startBystander } from "./rounds/bystander.ts";
export { crashRoundIn, type Round } from "./rounds/crash-round.ts";
export type { FaultKind, RoundFault } from "./rounds/judge-life.ts";
export { type Life, LIVES } from "./rounds/lives.ts";
export { makeNamespace } from "./rounds/namespaces.ts";
export { playedLife } from "./rounds/played-life.ts";
export type { Stage } from "./rounds/stage.ts";
