// What an operator serves to Prometheus, read from its text format.
import { once } from "node:events";
import { createServer } from "node:net";

/** These belong to histograms and summaries themselves. */
const OF_KINDS = new Set(["le", "quantile"]);
const SETTLED_MS = 1000;

/** A port of this machine that nobody listens at. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Scrapes until two scrapes in a row say the same of applications: an operator counts what it has seen a moment later.
 *
 * @returns {Promise<string>}
 */
export async function settledScrape(url) {
  let [before, text] = ["", await scrape(url)];
  while (ofApplications(before) !== ofApplications(text)) {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    [before, text] = [text, await scrape(url)];
  }
  return text;
}

async function scrape(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.text();
}

function ofApplications(text) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("spark_"))
    .toSorted()
    .join("\n");
}

/**
 * @typedef {object} Family metrics of one name that have a value
 * @property {string} type
 * @property {Set<string>} series the names of its series: of a histogram `…_bucket`, `…_sum` and `…_count`
 * @property {Set<string>} labels by which they are told apart, but for those of histograms and summaries
 * @property {Set<string>} bounds of the buckets of a histogram
 * @property {Map<string, number>} counts how much, or how often, by series and labels; of times only how often
 */

/** @returns {Map<string, Family>} by name, those without a series left out */
export function familiesOf(text) {
  const families = new Map();
  let family;
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name !== undefined) {
      family = { type, series: new Set(), labels: new Set(), bounds: new Set(), counts: new Map() };
      families.set(name, family);
    } else if (line !== "" && !line.startsWith("#")) take(family, line);
  }
  return new Map([...families].filter(([, { series }]) => series.size > 0));
}

function take({ type, series, labels, bounds, counts }, line) {
  const [, name, braces = "", value] = /^([^\s{]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is no series: ${line}`);
  series.add(name);
  const pairs = [...braces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
  for (const [label, text] of pairs) {
    if (label === "le") bounds.add(String(Number(text.replace("Inf", "Infinity"))));
    if (!OF_KINDS.has(label)) labels.add(label);
  }
  const isCount = type === "counter" || type === "gauge" || name.endsWith("_count");
  const key = `${name}{${pairs.map(([label, text]) => `${label}=${text}`).toSorted()}}`;
  if (isCount) counts.set(key, Number(value));
}
