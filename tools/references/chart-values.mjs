// Writes the pages of the charts' values from the values and their comments.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";

const REFUSED = "A value that is not here, or that cannot be, is refused with its name.";
const FROM_KUBEFLOW = `The tree is that of kubeflow's chart. What that chart knows and is not here has no effect and is
named after an installation, as is a value that neither chart knows; a value of a wrong type is refused with its name.`;

/** The pages, each with its text as it should be. */
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

/** @param {string} path of the page @param {string} chart its folder below deploy/helm */
function page(path, chart, words) {
  const values = `deploy/helm/${chart}/values.yaml`;
  return { chart, page: new URL(`../../${path}`, import.meta.url), text: () => textOfPage(values, words) };
}

function textOfPage(values, { title, about, end }) {
  const { contents } = parseDocument(readFileSync(new URL(`../../${values}`, import.meta.url), "utf8"));
  const sections = [];
  const forAll = [];
  for (const pair of contents.items) {
    const comment = commentOf(pair, contents);
    const rows = rowsOf(pair, "", comment);
    if (isGroup(pair.value, comment)) sections.push(section(pair.key.value, rows));
    else forAll.push(...rows);
  }
  return `# ${title}

${about} Generated from \`${values}\` by
\`node tools/references/chart-values.mjs\`. ${end}

${[section("For all", forAll), ...sections].join("\n")}`;
}

function section(title, rows) {
  return `## ${title}\n\n| Value | Default | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** Whether values below it have comments of their own. */
function isGroup(node, about) {
  if (!isMap(node) || node.flow === true || node.items.length === 0) return false;
  return about === undefined || commentOf(node.items[0], node) !== undefined;
}

/** @throws Error for a value that nothing is said of */
function rowsOf(pair, prefix, about) {
  const name = `${prefix}${pair.key.value}`;
  if (isGroup(pair.value, about)) {
    return pair.value.items.flatMap((below) => rowsOf(below, `${name}.`, commentOf(below, pair.value)));
  }
  if (about === undefined) throw new Error(`values.yaml: ${name} has no comment`);
  return [`| \`${name}\` | ${defaultOf(pair.value)} | ${textOf(about)} |`];
}

/** The comment of a map's first entry is the map's. */
function commentOf(pair, map) {
  return pair.key.commentBefore ?? (map.items[0] === pair ? map.commentBefore : undefined);
}

/** A paragraph before it is about the whole file. */
function textOf(comment) {
  const lines = comment
    .split("\n\n")
    .at(-1)
    .split("\n")
    .map((line) => line.trim());
  return lines.join(" ").replaceAll("|", "\\|");
}

function defaultOf(node) {
  if (isScalar(node)) return node.value === "" ? "" : `\`${String(node.value)}\``;
  if ((isMap(node) || isSeq(node)) && node.items.length === 0) return "";
  return `\`${JSON.stringify(node.toJSON()).replaceAll("|", "\\|")}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const one of CHART_VALUES_PAGES) writeFileSync(one.page, one.text());
}
