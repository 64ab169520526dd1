// Writes docs/chart-values.md from the chart's values and their comments.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";

const CHART = new URL("../deploy/helm/kindling/", import.meta.url);
export const CHART_VALUES_PAGE = new URL("../docs/chart-values.md", import.meta.url);

/** The page as it should be. */
export function chartValuesPage() {
  const { contents, commentBefore } = parseDocument(readFileSync(new URL("values.yaml", CHART), "utf8"));
  const sections = [];
  const forAll = [];
  for (const pair of contents.items) {
    const about = commentOf(pair, contents) ?? (contents.items[0] === pair ? commentBefore : undefined);
    const rows = rowsOf(pair, "", about);
    if (isGroup(pair.value, about)) sections.push(section(pair.key.value, rows));
    else forAll.push(...rows);
  }
  return `# Values of the chart

All values of the [Helm chart](install.md), with their defaults. Generated from \`deploy/helm/kindling/values.yaml\` by
\`node tools/chart-values.mjs\`. A value that is not here, or that cannot be, is refused with its name.

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

function textOf(comment) {
  const lines = comment.split("\n").map((line) => line.trim());
  return lines.join(" ").replaceAll("|", "\\|");
}

function defaultOf(node) {
  if (isScalar(node)) return node.value === "" ? "" : `\`${String(node.value)}\``;
  if ((isMap(node) || isSeq(node)) && node.items.length === 0) return "";
  return `\`${JSON.stringify(node.toJSON()).replaceAll("|", "\\|")}\``;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(CHART_VALUES_PAGE, chartValuesPage());
