import {
  orderSteps,
  type KubernetesExecutorSpec,
  type LocalFiles,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import {
  EXECUTOR_POD_TEMPLATE_CONTAINER,
  EXECUTOR_POD_TEMPLATE_FILE,
  executorAdditions,
  initialExecutorSpec,
  type PodTemplate,
} from "@kindling/steps";
import { confOf, type PlanInput } from "./plan-input.ts";

/** The executors' pod template as the user gave it. */
export function userExecutorTemplate(
  { conf, files }: Pick<Submission, "conf" | "files">,
  { templates }: Pick<PlanInput, "templates">,
): PodTemplate | undefined {
  const containerName = conf.get(EXECUTOR_POD_TEMPLATE_CONTAINER);
  if (templates.executor !== undefined) {
    return { content: templates.executor, origin: "executorTemplate", containerName };
  }
  const path = conf.get(EXECUTOR_POD_TEMPLATE_FILE);
  if (path === undefined) return undefined;
  const origin = `${EXECUTOR_POD_TEMPLATE_FILE.key}: ${path}`;
  return { content: files.readYaml(path, origin, "Pod"), origin, containerName };
}

/** Steps from outside that have something to add to executors. */
export function executorSteps(contributed: readonly Step[]): Step[] {
  return orderSteps(
    [],
    contributed.filter((step) => step.configureExecutor !== undefined),
  );
}

/**
 * Passes what contributed steps add to executors on to a stock driver, which creates its executors itself: as their pod
 * template, on top of the user's own. The returned submission has that template instead of the user's.
 *
 * @throws KindlingError `STEP_FAILED` for changes that a template cannot express
 */
export function withExecutorTemplate(
  submission: Submission,
  input: PlanInput,
  contributed: readonly Step[],
): Submission {
  const steps = executorSteps(contributed);
  const given = input.templates.executor;
  const unchanged = given === undefined ? submission : withTemplate(submission, input, given);
  if (steps.length === 0) return unchanged;
  const initial = initialExecutorSpec(userExecutorTemplate(submission, input), submission.notice);
  const spec = executorAdditions(initial, submission, steps);
  return spec === initial ? unchanged : withTemplate(submission, input, joined(spec));
}

/** As if the user had named a file with this template. */
function withTemplate(submission: Submission, input: PlanInput, template: object): Submission {
  const text = `${JSON.stringify(template, null, 2)}\n`;
  return {
    ...submission,
    conf: confOf({ ...input, entries: { ...input.entries, [EXECUTOR_POD_TEMPLATE_FILE.key]: TEMPLATE_PATH } }),
    files: withFile(submission.files, TEMPLATE_PATH, text),
  };
}

const TEMPLATE_PATH = "executor-pod-template.json";

/**
 * The pod with its Spark container in the first place, where a driver looks for it unless it is told a name. An empty name
 * means no name, but in a template it would be a name.
 */
function joined({ executorPod, executorContainer }: KubernetesExecutorSpec): object {
  const { spec } = executorPod;
  const { name, ...unnamed } = executorContainer;
  const container = name === "" ? unnamed : executorContainer;
  return { ...executorPod, spec: { ...spec, containers: [container, ...(spec?.containers ?? [])] } };
}

function withFile(files: LocalFiles, path: string, text: string): LocalFiles {
  return {
    ...files,
    readText: (wanted) => (wanted === path ? text : files.readText(wanted)),
    readYaml: (wanted, origin, kind) => (wanted === path ? JSON.parse(text) : files.readYaml(wanted, origin, kind)),
  };
}
