// @ts-check
// Writes the pages of the charts' values from the values and their comments.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";

const REFUSED = "A value that is not here, or that cannot be, is refused with its name.";
const FROM_KUBEFLOW = `The tree is that of kubeflow's chart. What that chart knows and is not here has no effect and is
named after an installation, as is a value that neither chart knows; a value of a wrong type is refused with its name.`;

/** The pages, each with the text that it should have. */
export const CHART_VALUES_PAGES = [
  page("docs/chart-values.md", "kindling", {
    title: "Values of the chart",
    about: "All values of the [Helm chart](install.md), with their defaults.",
    end: REFUSED,
  }),
  page("docs/operator-chart-values.md", "kindling-operator", {
    title: "Values of the operator's chart",
    about:
      "All values of the [operator's Helm chart](../deploy/helm/kindling-operator/README.md), with their defaults.",
    end: FROM_KUBEFLOW,
  }),
];

/** @typedef {{ title: string, about: string, end: string }} Words the text of a page around its tables */
/** @typedef {import("yaml").Pair<import("yaml").Scalar, import("yaml").Node | null>} Value with its name */

/**
 * @param {string} path of the page
 * @param {string} chart its folder below deploy/helm
 * @param {Words} words
 */
function page(path, chart, words) {
  const values = `deploy/helm/${chart}/values.yaml`;
  return { chart, page: new URL(`../../${path}`, import.meta.url), text: () => textOfPage(values, words) };
}

/**
 * @param {string} values path of the chart's values
 * @param {Words} words
 */
function textOfPage(values, { title, about, end }) {
  const { contents } = parseDocument(readFileSync(new URL(`../../${values}`, import.meta.url), "utf8"));
  if (!isMap(contents)) throw new Error(`${values} has no values`);
  const sections = [];
  const forAll = [];
  for (const pair of valuesIn(contents)) {
    const comment = commentOf(pair, contents);
    const rows = rowsOf(pair, "", comment);
    if (isGroup(pair.value, comment)) sections.push(section(String(pair.key.value), rows));
    else forAll.push(...rows);
  }
  return `# ${title}

${about} Generated from \`${values}\` by
\`node tools/references/chart-values.mjs\`. ${end}

${[section("For all", forAll), ...sections].join("\n")}`;
}

/**
 * The values of a map. Their names are strings.
 *
 * @param {import("yaml").YAMLMap} map
 */
function valuesIn({ items }) {
  return items.map((pair) => /** @type {Value} */ (pair));
}

/**
 * @param {string} title
 * @param {readonly string[]} rows
 */
function section(title, rows) {
  return `## ${title}\n\n| Value | Default | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/**
 * Whether the values inside a node have comments of their own.
 *
 * @param {import("yaml").Node | null} node
 * @param {string | undefined} about the comment of the node itself
 * @returns {node is import("yaml").YAMLMap}
 */
function isGroup(node, about) {
  if (!isMap(node) || node.flow === true) return false;
  const [first] = valuesIn(node);
  return first !== undefined && (about === undefined || commentOf(first, node) !== undefined);
}

/**
 * @param {Value} pair
 * @param {string} prefix of its name
 * @param {string | undefined} about
 * @returns {string[]}
 * @throws Error for a value without a comment
 */
function rowsOf(pair, prefix, about) {
  const name = `${prefix}${String(pair.key.value)}`;
  const node = pair.value;
  if (isGroup(node, about)) {
    return valuesIn(node).flatMap((below) => rowsOf(below, `${name}.`, commentOf(below, node)));
  }
  if (about === undefined) throw new Error(`values.yaml: ${name} has no comment`);
  return [`| \`${name}\` | ${defaultOf(pair.value)} | ${textOf(about)} |`];
}

/**
 * The comment before a map's first entry belongs to the map.
 *
 * @param {Value} pair
 * @param {import("yaml").YAMLMap} map that contains it
 */
function commentOf(pair, map) {
  return pair.key.commentBefore ?? (map.items[0] === pair ? map.commentBefore : undefined) ?? undefined;
}

/**
 * A paragraph before the last one is about the whole file.
 *
 * @param {string} comment
 */
function textOf(comment) {
  const [last = ""] = comment.split("\n\n").slice(-1);
  const lines = last.split("\n").map((line) => line.trim());
  return lines.join(" ").replaceAll("|", "\\|");
}

/** @param {import("yaml").Node | null} node */
function defaultOf(node) {
  if (isScalar(node)) return node.value === "" ? "" : `\`${String(node.value)}\``;
  if ((isMap(node) || isSeq(node)) && node.items.length === 0) return "";
  return `\`${JSON.stringify(node?.toJSON()).replaceAll("|", "\\|")}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const one of CHART_VALUES_PAGES) writeFileSync(one.page, one.text());
}
