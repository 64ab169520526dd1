// The metrics that an operator serves to Prometheus, read from the text format.

/** These labels belong to histograms and summaries themselves. */
const OF_KINDS = new Set(["le", "quantile"]);
const SETTLED_MS = 1000;

/** Scrapes until two scrapes in a row say the same about applications, because an operator counts with a short delay. */
export async function settledScrape(url: string): Promise<string> {
  let [before, text] = ["", await scrape(url)];
  while (ofApplications(before) !== ofApplications(text)) {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    [before, text] = [text, await scrape(url)];
  }
  return text;
}

async function scrape(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.text();
}

function ofApplications(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("spark_"))
    .toSorted()
    .join("\n");
}

/** All metrics of one name that have a value. */
export interface Family {
  readonly type: string;
  /** The names of its series; for a histogram these are `…_bucket`, `…_sum` and `…_count`. */
  readonly series: Set<string>;
  /** Labels that distinguish them, except the labels of histograms and summaries themselves. */
  readonly labels: Set<string>;
  /** The bounds of the buckets of a histogram. */
  readonly bounds: Set<string>;
  /** The value of each series with its labels. For times it is only the number of observations. */
  readonly counts: Map<string, number>;
}

/** Families by name. Families without a series are left out. */
export function familiesOf(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  let family: Family | undefined;
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) {
      family = { type, series: new Set(), labels: new Set(), bounds: new Set(), counts: new Map() };
      families.set(name, family);
    } else if (line !== "" && !line.startsWith("#")) {
      if (family === undefined) throw new Error(`of which metric is this? ${line}`);
      take(family, line);
    }
  }
  return new Map([...families].filter(([, { series }]) => series.size > 0));
}

function take({ type, series, labels, bounds, counts }: Family, line: string): void {
  const [, name, braces = "", value] = /^([^\s{]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is no series: ${line}`);
  series.add(name);
  const pairs = [...braces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => ({
    label,
    text,
  }));
  for (const { label, text } of pairs) {
    if (label === "le") bounds.add(String(Number(text.replace("Inf", "Infinity"))));
    if (!OF_KINDS.has(label)) labels.add(label);
  }
  const isCount = type === "counter" || type === "gauge" || name.endsWith("_count");
  const key = `${name}{${pairs
    .map(({ label, text }) => `${label}=${text}`)
    .toSorted()
    .join(",")}}`;
  if (isCount) counts.set(key, Number(value));
}
