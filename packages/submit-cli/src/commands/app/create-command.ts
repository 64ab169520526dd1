import { formatObject, formatOf, printNotice, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { isAlreadyExists, type KubeClient } from "@kindling/kube";
import { parseApplicationName } from "@kindling/submit";
import { CREATE_FORMATS } from "../output-formats.ts";
import { findOne } from "./find-operated.ts";
import { followApplication, type End } from "./follow-application.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { objectToCreate, runOfSchedule } from "./object-to-create.ts";
import { onCluster } from "./on-cluster.ts";
import { APPLICATIONS, SCHEDULES } from "./operated-kind.ts";
import type { OperatedObject } from "./operated-object.ts";
import { operatorError } from "./operator-error.ts";
import { readManifests } from "./read-manifests.ts";

/** `kindling app create`: all objects are read before the first is created. */
export async function createCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, CREATE_FORMATS);
  const from = line.value("from");
  const read = from === undefined ? await objectsIn(line, context) : undefined;
  for (const object of read ?? []) hideSecrets(object, context.secrets);
  return await onCluster(line, context, from === undefined ? APPLICATIONS.type : SCHEDULES.type, async (client) => {
    const objects = read ?? [await fromSchedule(client, from ?? "", line, context)];
    const created: OperatedObject[] = [];
    for (const object of objects) {
      const made = await create(client, object);
      created.push(made);
      if (format === "text") context.output.out(`created ${calledIn(made)}\n`);
      if (format === "name") context.output.out(`${calledIn(made)}\n`);
    }
    const ends = line.has("wait")
      ? await Promise.all(created.map((object) => followApplication(client, object, context)))
      : undefined;
    if (format === "json" || format === "yaml")
      context.output.out(await formatObject(ends?.map(endOf) ?? created.map(resultOf), format));
    return ends?.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
  });
}

async function objectsIn(
  line: CommandLine,
  { outside: { cwd }, output, signal }: CommandContext,
): Promise<OperatedObject[]> {
  const { operands } = line;
  if (operands.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "no file is named; name one, or - for the standard input", {
      hint: "kindling app create --from SCHEDULE runs a schedule's application now",
    });
  }
  const manifests: Awaited<ReturnType<typeof readManifests>> = [];
  const tell = (notice: string): void => printNotice(notice, output);
  for (const file of operands) manifests.push(...(await readManifests(file, { cwd, signal, tell })));
  const name = line.value("name");
  if (name !== undefined && manifests.length > 1)
    throw new KindlingError("ARGUMENT_INVALID", `--name ${name} is for one object; there are ${manifests.length}`);
  const objects = manifests.map((one) => objectToCreate(one, { namespace: line.value("namespace"), name }));
  if (line.has("wait") && objects.some(({ kind }) => kind === SCHEDULES.type.kind))
    throw new KindlingError("ARGUMENT_INVALID", `--wait is for SparkApplications: a schedule has no end`);
  return objects;
}

async function fromSchedule(
  client: KubeClient,
  text: string,
  line: CommandLine,
  { outside, secrets }: CommandContext,
): Promise<OperatedObject> {
  if (line.operands.length > 0)
    throw new KindlingError("ARGUMENT_INVALID", `--from ${text} takes no files: ${line.operands.join(" ")}`);
  const wanted = parseApplicationName(text);
  if (wanted.isPattern) throw new KindlingError("ARGUMENT_INVALID", `--from ${text}: name one schedule`);
  const schedule = await findOne(client, SCHEDULES, wanted);
  hideSecrets(schedule, secrets);
  return runOfSchedule(schedule, line.value("name"), outside.clock.now());
}

async function create(client: KubeClient, object: OperatedObject): Promise<OperatedObject> {
  const { type } = object.kind === SCHEDULES.type.kind ? SCHEDULES : APPLICATIONS;
  try {
    return await client.create(type, object);
  } catch (error) {
    if (isAlreadyExists(error)) throw existsAlready(client, object, error);
    throw operatorError(error, type);
  }
}

function existsAlready(client: KubeClient, { kind = "", metadata }: OperatedObject, cause: unknown): KindlingError {
  const { name = "", namespace = client.namespace } = metadata ?? {};
  const called = `${namespace}:${name}`;
  const hint =
    kind === APPLICATIONS.type.kind
      ? `kindling app rerun ${called} runs it again, kubectl apply changes it; or take another name with --name`
      : `kubectl apply changes it; or take another name with --name`;
  return new KindlingError("OBJECT_CONFLICT", `${called} exists already as a ${kind}`, { hint, cause });
}

function calledIn({ metadata }: OperatedObject): string {
  return `${metadata?.namespace}:${metadata?.name}`;
}

function resultOf(object: OperatedObject): object {
  const isSchedule = object.kind === SCHEDULES.type.kind;
  return { result: "created", kind: object.kind, ...(isSchedule ? SCHEDULES : APPLICATIONS).viewOf(object) };
}

function endOf({ result, exitCode, view }: End): object {
  return { result, kind: APPLICATIONS.type.kind, exitCode, ...view };
}
