import {
  compareSpecs,
  KindlingError,
  orderSteps,
  runExecutorSteps,
  type KubernetesExecutorSpec,
  type LocalFiles,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import {
  EXECUTOR_POD_TEMPLATE_CONTAINER,
  EXECUTOR_POD_TEMPLATE_FILE,
  initialExecutorSpec,
  supposedExecutor,
  type ExecutorSample,
  type PodTemplate,
} from "@kindling/steps";
import { confOf, type PlanInput } from "./plan-input.ts";

/** The executors' pod template as the user gave it. */
export function userExecutorTemplate(
  { conf, files }: Submission,
  { templates }: Pick<PlanInput, "templates">,
): PodTemplate | undefined {
  const containerName = conf.get(EXECUTOR_POD_TEMPLATE_CONTAINER);
  if (templates.executor !== undefined) {
    return { content: templates.executor, origin: "executorTemplate", containerName };
  }
  const path = conf.get(EXECUTOR_POD_TEMPLATE_FILE);
  if (path === undefined) return undefined;
  const origin = `${EXECUTOR_POD_TEMPLATE_FILE.key}: ${path}`;
  return { content: files.readYaml(path, origin), origin, containerName };
}

/** Steps from outside that have something to add to executors. */
export function executorSteps(contributed: readonly Step[]): Step[] {
  return orderSteps(
    [],
    contributed.filter((step) => step.configureExecutor !== undefined),
  );
}

/**
 * Hands what contributed steps add to executors on to a stock driver, which makes its executors itself: as their pod
 * template, on top of the user's own. The submission comes back with that template in the place of the user's.
 *
 * @throws KindlingError `STEP_FAILED` where a step makes executors that differ from each other or adds objects beside
 * their pods, which no template can say
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
  const [one, another] = SAMPLES.map(
    (sample) => runExecutorSteps(initial, supposedExecutor(submission, sample), steps).spec,
  );
  if (one === undefined || one === initial) return unchanged;
  if (compareSpecs(one, another).length > 0 || one.executorKubernetesResources.length > 0) {
    const names = steps.map(({ name }) => name).join(", ");
    const what =
      one.executorKubernetesResources.length > 0 ? "objects beside the pods" : "something else to each executor";
    throw new KindlingError("STEP_FAILED", `of the steps ${names}, one adds ${what}, which a pod template cannot say`, {
      hint: "executors of a stock driver can get the same additions only, and none that names the executor or the driver pod; the gateway can run such steps: spark.kindling.scheduler=gateway",
    });
  }
  return withTemplate(submission, input, joined(one));
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

// What nobody knows before the driver runs: a step that makes use of it gives two different results for these.
const SAMPLES: readonly ExecutorSample[] = [
  { executorId: "1", resourceNamePrefix: "one", driverPod: { name: "one-driver", uid: "1" } },
  { executorId: "2", resourceNamePrefix: "other", driverPod: { name: "other-driver", uid: "2" } },
];

/**
 * The pod with its Spark container in the first place, where a driver looks for it unless it is told a name. The empty
 * name, which stands for none, would be one in a template.
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
    readYaml: (wanted, origin) => (wanted === path ? JSON.parse(text) : files.readYaml(wanted, origin)),
  };
}
