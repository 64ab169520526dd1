// Writes docs/chart-values.md from the chart's values and their comments.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";

const CHART = new URL("../deploy/helm/kindling/", import.meta.url);
export const CHART_VALUES_PAGE = new URL("../docs/chart-values.md", import.meta.url);

/** The page as it should be. */
export function chartValuesPage() {
  const document = parseDocument(readFileSync(new URL("values.yaml", CHART), "utf8"));
  const sections = [];
  const rest = [];
  for (const pair of document.contents.items) {
    const rows = rowsOf(pair, "", document.contents.items[0] === pair ? document.commentBefore : undefined);
    if (isGroup(pair.value)) sections.push(section(`## ${pair.key.value}`, pair.key.commentBefore, rows));
    else rest.push(...rows);
  }
  return `# Values of the chart

All values of the [Helm chart](install.md), with their defaults. Generated from \`deploy/helm/kindling/values.yaml\` by
\`node tools/chart-values.mjs\`. A value that is not here, or that cannot be, is refused with its name.

${[section("## For all", undefined, rest), ...sections].join("\n")}`;
}

function section(title, about, rows) {
  const said = about === undefined ? "" : `${textOf(about)}\n\n`;
  return `${title}\n\n${said}| Value | Default | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** A value with values below it that have comments of their own. */
function isGroup(node) {
  return isMap(node) && node.flow !== true && node.items.length > 0 && commentOf(node.items[0], node) !== undefined;
}

function rowsOf(pair, prefix, comment) {
  const name = `${prefix}${pair.key.value}`;
  const about = comment ?? pair.key.commentBefore;
  if (isGroup(pair.value)) {
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
