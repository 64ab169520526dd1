// Whether Kindling's operator makes the same objects around an application as the stock operator: kubeflow/spark-operator
// v2.5.2, with its own reconciler and schedulers, on a cluster in memory.
import { addQuantities, parseQuantity, type Quantity, type Service } from "@kindling/core-spec";
import { applicationObjects, webUiOf } from "@kindling/operator/testing";
import type { DriverInfo, SparkApplication } from "@kindling/spark-application";
import { askStock } from "../ask-stock.ts";
import { differences } from "../differences.ts";
import { generatedRequest, type SurroundingsRequest } from "./generated-requests.ts";
import { type AnyObject, comparedObjects, withoutMemory } from "./meant-differences.ts";
import { submitted, TASK_GROUPS } from "./submitted.ts";

/** The address of every service in memory. */
const CLUSTER_IP = "10.96.0.7";

interface StockSurroundings {
  readonly error?: string;
  readonly reconcileError?: string;
  readonly application?: SparkApplication;
  readonly objects?: readonly AnyObject[];
  readonly driverInfo?: DriverInfo;
}

/** What is compared: the message of a refusal, or everything around an application. */
type Around =
  | { readonly error: string }
  | { readonly submitted: object; readonly objects: Readonly<Record<string, AnyObject>>; readonly ui: object };

export interface ComparedSurroundings {
  readonly applications: number;
  readonly objects: number;
  readonly refused: number;
  /** The number of groups with compared memory. */
  readonly groups: number;
  readonly differences: readonly string[];
}

/**
 * Compares generated applications, each with generated settings of the operator. It compares the error with which they are
 * refused, or the submitted application, all objects around it, and what the status says about the UI.
 *
 * Intended differences are removed: our label on services and ingresses, the protocol that the API server would add, the phase
 * of Volcano's groups, and the memory of groups. That memory is compared with the memory that the stock operator gives to
 * YuniKorn.
 *
 * @param program kindling-compare
 * @param count how many applications
 */
export function compareSurroundings(program: string, count: number = 400): ComparedSurroundings {
  const requests = Array.from({ length: count }, (_, index) => generatedRequest(index + 1));
  const questions = [...requests, ...requests.map(underYunikorn)].map((one) => ({
    what: "surroundings" as const,
    ...one,
  }));
  const answers = askStock<StockSurroundings>(program, questions);
  const found = requests.map((request, index) => {
    const memory = ofYunikorn(answers[count + index] ?? {});
    return comparedOne(request, ofStock(answers[index] ?? {}), memory, String(index + 1));
  });
  const sum = (part: (one: (typeof found)[number]) => number): number =>
    found.reduce((total, one) => total + part(one), 0);
  return {
    applications: count,
    objects: sum(({ objects }) => objects),
    refused: sum(({ isRefused }) => (isRefused ? 1 : 0)),
    groups: sum(({ groups }) => groups),
    differences: found.flatMap((one) => one.differences),
  };
}

function comparedOne(request: SurroundingsRequest, stock: Around, memory: Quantity | undefined, title: string) {
  const ours = ofOurs(request);
  const isRefused = "error" in stock;
  const counts = { isRefused, objects: isRefused ? 0 : Object.keys(stock.objects).length };
  if ("error" in ours) {
    const texts = isUnread(ours.error) ? [] : differences(stock, ours);
    return { ...counts, groups: 0, differences: texts.map((text) => title + text) };
  }
  const own = withoutMemory(request.application, ours.objects, memory);
  const theirs = isRefused
    ? stock
    : { ...stock, objects: withoutMemory(request.application, stock.objects, memory).objects };
  const texts = differences(theirs, { ...ours, objects: own.objects });
  return {
    ...{ ...counts, groups: own.groups },
    differences: [...own.wrong.map((text) => `${title}: ${text}`), ...texts.map((text) => title + text)],
  };
}

/** An application with the same memory, and without anything else that the stock operator refuses for YuniKorn. */
function underYunikorn({ application, settings, ...rest }: SurroundingsRequest): SurroundingsRequest {
  const { driver, executor } = application.spec;
  const spec = {
    ...{ ...application.spec, batchScheduler: "yunikorn", driverIngressOptions: [] },
    driver: { ...driver, coreRequest: "1" },
    executor: { ...executor, coreRequest: "1" },
  };
  const scheduler = { enableBatchScheduler: true, enableService: false };
  return { ...rest, application: { ...application, spec }, settings: { ...settings, ...scheduler } };
}

interface TaskGroup {
  readonly minMember: number;
  readonly minResource: { readonly memory: string };
}

/** The memory of all pods that the stock operator gives to YuniKorn, if it can be read. */
function ofYunikorn({ application }: StockSurroundings): Quantity | undefined {
  const text = application?.spec.driver.annotations?.[TASK_GROUPS];
  if (text === undefined) return undefined;
  const groups = JSON.parse(text) as readonly TaskGroup[];
  const each = groups.flatMap(({ minMember, minResource }) =>
    Array.from({ length: minMember }, () => parseQuantity(minResource.memory)),
  );
  const memory = each.filter((quantity) => quantity !== undefined);
  return memory.length === each.length && memory.length > 0 ? memory.reduce(addQuantities) : undefined;
}

function ofStock({ error, reconcileError, application, objects = [], driverInfo }: StockSurroundings): Around {
  // Our operator refuses at once where the stock operator tries again and again.
  const refusal = error ?? reconcileError;
  if (refusal !== undefined) return { error: refusal };
  if (application === undefined) throw new Error("kindling-compare has answered too little");
  const { podName: _, ...ui } = driverInfo ?? {};
  return { submitted: submitted(application), objects: comparedObjects(objects), ui };
}

function ofOurs({ application, submissionId, sparkApplicationId, settings }: SurroundingsRequest): Around {
  const context = {
    submissionId,
    sparkApplicationId,
    settings: {
      ui: { ...settings, ingressUrlFormat: settings.ingressUrlFormat || undefined },
      batchScheduler: {
        enabled: settings.enableBatchScheduler,
        kubeSchedulerNames: settings.kubeSchedulerNames,
        default: settings.defaultBatchScheduler || undefined,
      },
      enableDriverPdb: false,
    },
  };
  try {
    const around = applicationObjects(application, context);
    const objects = around.objects.map(({ object }) => object);
    const service = objects
      .filter(isService)
      .find(({ metadata }) => metadata.name === around.driverInfo.webUIServiceName);
    const made = service && { ...service, spec: { ...service.spec, clusterIP: CLUSTER_IP } };
    return {
      submitted: submitted(around.application),
      objects: comparedObjects(objects),
      ui: { ...around.driverInfo, ...(made && webUiOf(made)) },
    };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "PreparationError") throw error;
    return { error: error.message };
  }
}

function isService(object: AnyObject | Service): object is Service {
  return object.kind === "Service";
}

/** The stock operator refuses an invalid size only for YuniKorn, with another message. */
function isUnread(error: string): boolean {
  return /^failed to process batch scheduler: (unable to parse byte string|failed to parse memory overhead)/.test(
    error,
  );
}
