// Whether Kindling's operator makes of an application the arguments that stock's gives to spark-submit: kubeflow/
// spark-operator v2.5.2, with its own defaults and its own building of arguments.
import { readSparkApplication, withDefaults } from "@kindling/spark-application/read";
import { generatedSpec } from "./arguments/generated-specs.mjs";
import { asOursSays, withoutApplication } from "./arguments/meant-differences.mjs";
import { places, readArguments, templatesOf } from "./arguments/read-arguments.mjs";
import { askStock } from "./ask-stock.mjs";
import { differences } from "./pods/differences.mjs";
import { exampleApplications } from "./pods/example-applications.mjs";
import { sourceModules } from "./source-modules.mjs";

const MODULES = ["translate/translate.ts", "translate/arguments.ts"];
/** Where a pod finds its API server. */
const SERVICE = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

/**
 * Compares the arguments of kubeflow's examples and of generated applications: for each key of the configuration and each
 * flag the value that wins, the main file, the arguments behind it, and both pod templates; or that both refuse it, with
 * which words.
 *
 * What is meant to differ is taken out (`arguments/meant-differences.mjs`).
 *
 * @param {string} program kindling-compare
 * @param {string} examples kubeflow's folder of them
 * @param {number} [count] of generated applications
 * @returns {Promise<{applications: number, refused: number, keys: number, differences: string[]}>} `keys` is how many
 * values were compared
 */
export async function compareArguments(program, examples, count = 400) {
  const operator = await sourceModules(MODULES);
  const generated = Array.from({ length: count }, (_, index) => generatedSpec(index + 1));
  const asked = [...exampleApplications(examples), ...generated].map((application, index) => ({
    application,
    submissionId: `3e0b7cf4-3a0f-8f1c-9a3b-${String(index).padStart(12, "0")}`,
  }));
  const ours = asked.map((question) => ofOurs(question, operator));
  const answers = askStock(
    program,
    [
      ...asked.map((question) => ({ what: "arguments", ...question })),
      // Ours go through the same types, for one spelling of quantities and the like.
      ...ours.flatMap(({ templates = [] }) => templates.map((template) => ({ what: "template", template }))),
    ],
    SERVICE,
  );
  const spelt = answers.slice(asked.length).values();
  const found = { applications: asked.length, refused: 0, keys: 0, differences: [] };
  for (const [index, { application }] of asked.entries()) {
    const stock = ofStock(answers[index]);
    const { templates, ...own } = ours[index];
    if (templates !== undefined) {
      own.driverTemplate = spelt.next().value.template;
      own.executorTemplate = spelt.next().value.template;
    }
    if (stock.error !== undefined) found.refused += 1;
    else {
      found.keys += Object.keys({ ...stock.conf, ...stock.flags }).length;
      stock.conf = asOursSays(stock.conf, own.conf ?? {}, application);
    }
    found.differences.push(...differences(stock, own).map((text) => `${application.metadata.name}${text}`));
  }
  return found;
}

function ofStock({ error, arguments: list, driverTemplate, executorTemplate }) {
  if (error !== undefined) return { error };
  return {
    ...readArguments(list),
    driverTemplate,
    executorTemplate: withoutApplication(executorTemplate),
  };
}

function ofOurs({ application, submissionId }, { translate, toArguments }) {
  const { application: read, faults } = readSparkApplication(application);
  if (faults.length > 0) throw new Error(`${application.metadata.name}: ${faults.join("; ")}`);
  try {
    const translation = translate(withDefaults(read), { submissionId });
    const list = toArguments(translation, places(submissionId, SERVICE));
    return { ...readArguments(list), templates: templatesOf(translation) };
  } catch (error) {
    if (error.code !== "CONF_INVALID") throw error;
    return { error: error.message };
  }
}
