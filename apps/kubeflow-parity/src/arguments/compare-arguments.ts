// Whether Kindling's operator makes the same arguments for spark-submit as the stock operator: kubeflow/spark-operator v2.5.2,
// with its own defaults and its own code that builds arguments.
import type { Pod } from "@kindling/core-spec";
import { toArguments, translate } from "@kindling/operator/testing";
import type { SparkApplication } from "@kindling/spark-application";
import { readSparkApplication, withDefaults } from "@kindling/spark-application/read";
import { askStock } from "../ask-stock.ts";
import { differences } from "../differences.ts";
import { exampleApplications } from "../pods/example-applications.ts";
import { generatedSpec } from "./generated-specs.ts";
import { asOursSays, withoutApplication } from "./meant-differences.ts";
import { places, type ReadArguments, readArguments, templatesOf } from "./read-arguments.ts";

const SERVICE = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

interface Asked {
  readonly application: SparkApplication;
  readonly submissionId: string;
}

/** What the stock operator answers about arguments. */
type StockArguments =
  | { readonly error: string }
  | {
      readonly error?: undefined;
      readonly arguments: readonly string[];
      readonly driverTemplate: Pod;
      readonly executorTemplate: Pod;
    };

/** The arguments of an application. Its templates are written as the types of the stock operator write them. */
type Submission = { readonly error: string } | (ReadArguments & { readonly templates: readonly unknown[] });

export interface ComparedArguments {
  readonly applications: number;
  readonly refused: number;
  /** How many values were compared. */
  readonly keys: number;
  readonly differences: readonly string[];
}

/**
 * Compares the arguments of kubeflow's examples and of generated applications. For each key of the configuration and each flag,
 * it compares the value that wins. It also compares the main file, the arguments after it, and both pod templates. If both
 * operators refuse the application, it compares their messages.
 *
 * Intended differences are removed before (`meant-differences.ts`).
 *
 * @param program kindling-compare
 * @param examples kubeflow's folder of examples
 * @param count how many applications to generate
 */
export function compareArguments(program: string, examples: string, count: number = 400): ComparedArguments {
  const generated = Array.from({ length: count }, (_, index) => generatedSpec(index + 1));
  const asked = [...exampleApplications(examples), ...generated].map((application, index) => ({
    application,
    submissionId: `3e0b7cf4-3a0f-8f1c-9a3b-${String(index).padStart(12, "0")}`,
  }));
  const questions = asked.map((one) => ({ what: "arguments" as const, ...one }));
  const stock = askStock<StockArguments>(program, questions, { ...SERVICE });
  const ours = spelt(program, asked.map(ofOurs));
  const found = asked.map(({ application }, index) => compared(application, ofStock(stock[index]), ours[index]));
  return {
    applications: asked.length,
    refused: found.filter(({ isRefused }) => isRefused).length,
    keys: found.reduce((sum, { keys }) => sum + keys, 0),
    differences: found.flatMap((one) => one.differences),
  };
}

function compared(application: SparkApplication, stock: Submission, ours: Submission | undefined) {
  const said = (theirs: unknown): string[] =>
    differences(theirs, ours).map((text) => `${application.metadata.name}${text}`);
  if ("error" in stock) return { isRefused: true, keys: 0, differences: said(stock) };
  const keys = Object.keys({ ...stock.conf, ...stock.flags }).length;
  const own = ours === undefined || "error" in ours ? {} : ours.conf;
  return { isRefused: false, keys, differences: said({ ...stock, conf: asOursSays(stock.conf, own, application) }) };
}

function ofStock(answer: StockArguments | undefined): Submission {
  if (answer === undefined) throw new Error("kindling-compare has answered too little");
  if (answer.error !== undefined) return { error: answer.error };
  const { arguments: list, driverTemplate, executorTemplate } = answer;
  return { ...readArguments(list), templates: [driverTemplate, withoutApplication(executorTemplate)] };
}

function ofOurs({ application, submissionId }: Asked): Submission {
  const { application: read, faults } = readSparkApplication(application);
  if (faults.length > 0) throw new Error(`${application.metadata.name}: ${faults.join("; ")}`);
  try {
    const translation = translate(withDefaults(read), { submissionId });
    const list = toArguments(translation, places(submissionId, SERVICE));
    return { ...readArguments(list), templates: templatesOf(translation) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "CONF_INVALID")) throw error;
    return { error: error.message };
  }
}

/** Our templates go through the same types, so that quantities and similar values are spelled the same. */
function spelt(program: string, submissions: readonly Submission[]): Submission[] {
  const templates = submissions.flatMap((one) => ("error" in one ? [] : one.templates));
  const questions = templates.map((template) => ({ what: "template" as const, template }));
  const answers = askStock<{ readonly template: unknown }>(program, questions).values();
  const next = (): unknown => answers.next().value?.template;
  return submissions.map((one) => ("error" in one ? one : { ...one, templates: one.templates.map(next) }));
}
