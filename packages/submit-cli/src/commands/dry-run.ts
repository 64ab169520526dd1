import type { CommandContext } from "@kindling/command-line";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import {
  connectionFor,
  gatherConfigured,
  hidePlanned,
  plan,
  planExecutor,
  stage,
  TOKENS_NOT_FETCHED,
  type Configuration,
  type ConfigurationRequest,
  type Gathered,
  type SubmissionEvent,
  type SubmissionPlan,
} from "@kindling/submit";
import { inOrder, printPlan } from "../output/print-plan.ts";
import { planOffline } from "./plan-offline.ts";

export interface DryRunOptions {
  readonly show: (event: SubmissionEvent) => void;
  readonly format: "yaml" | "json";
  /** The pod of an executor instead of the submission's objects. */
  readonly ofExecutor: boolean;
  readonly withSecrets: boolean;
  /** Whether files of this machine are staged, so that the objects can be applied. */
  readonly stages: boolean;
}

/** `kindling submit --dry-run`: prints what would be made. */
export async function dryRun(
  configuration: Configuration,
  request: ConfigurationRequest,
  context: CommandContext,
  options: DryRunOptions,
): Promise<void> {
  const { show, format, ofExecutor, withSecrets, stages } = options;
  const notice = (message: string): void => show({ type: "notice", message });
  const planned = stages
    ? await planAndStage(configuration, request, context, show)
    : await planOffline(configuration, request, context, notice);
  const { gathered } = planned;
  const redaction = withSecrets ? undefined : hidePlanned(planned.plan, context.secrets);
  if (ofExecutor) {
    const { objects } = planExecutor(gathered.input, gathered.steps);
    await printPlan(objects, { format, redaction }, context.output);
    return;
  }
  const { application, staging, objects } = planned.plan;
  const unstaged = staging === undefined || stages ? 0 : staging.files.length;
  const remarks = [
    ...(unstaged === 0
      ? []
      : [
          `This cannot be applied: ${unstaged === 1 ? "a file is" : `${unstaged} files are`} not staged; ` +
            "--dry-run=server stages files.",
        ]),
    ...(gathered.input.delegationTokens === TOKENS_NOT_FETCHED
      ? ["This cannot be applied: delegation tokens are not fetched; --dry-run=server fetches them."]
      : []),
  ];
  const shown = inOrder(objects, application.id);
  const kinds = [...new Set(shown.map(({ kind }) => (kind ?? "Pod").toLowerCase()))].join(",");
  const comments = [
    `To remove what it makes: kubectl -n ${application.namespace} delete ${kinds} -l ${SPARK_APP_ID_LABEL}=${application.id}`,
  ];
  await printPlan(shown, { format, redaction, remarks, comments }, context.output);
}

async function planAndStage(
  configuration: Configuration,
  request: ConfigurationRequest,
  { outside, secrets, signal }: CommandContext,
  show: DryRunOptions["show"],
): Promise<{ readonly gathered: Gathered; readonly plan: SubmissionPlan }> {
  const tell = (message: string): void => show({ type: "notice", message });
  const options = { tell, signal, secrets };
  const gathered = await gatherConfigured(configuration, request, outside, "this-machine", options);
  const planned = plan(gathered.input, gathered.steps);
  planned.notices.forEach(tell);
  const client = connectionFor(planned, gathered.cluster);
  try {
    const { staging } = gathered;
    return { gathered, plan: await stage(planned, client, { staging, onEvent: show, signal, outside, secrets }) };
  } finally {
    client.close();
  }
}
