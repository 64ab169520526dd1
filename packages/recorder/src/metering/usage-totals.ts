import { keyOf, type UsageLabels } from "./usage-labels.ts";

/** One time series, and what monitoring systems are told of it. */
export interface UsageRow {
  /** With the kind of node, or with the state of ended runs. */
  readonly labels: UsageLabels & Readonly<Record<string, string>>;
  readonly amounts: readonly number[];
}

interface Series extends UsageRow {
  /** What is right. It may be less than what was shown: the end of a pod is told later than it was. */
  amounts: number[];
  shown: number[];
  /** When it was shown first, on a clock that only goes forward. */
  since: number;
}

/**
 * A monitoring system takes the first value of a new series as its beginning, and counts only what is added later. So a new
 * series is shown as 0 for as long as it may take until all of them have seen it.
 */
const SHOWN_AS_ZERO_MS = 60_000;

/** Counters by their labels. The values that are shown never go back. */
export class UsageTotals {
  readonly #series = new Map<string, Series>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Adds amounts, which may be negative if more was added before than was right. */
  add(labels: Series["labels"], amounts: readonly number[]): void {
    const key = keyWithMore(labels);
    const known = this.#series.get(key);
    const zeros = amounts.map(() => 0);
    const series = known ?? { labels, amounts: zeros, shown: [...zeros], since: Infinity };
    if (known === undefined) this.#series.set(key, series);
    series.amounts = amounts.map((amount, index) => (series.amounts[index] ?? 0) + amount);
  }

  /**
   * What a monitoring system is told now.
   *
   * @param open what is to be added for the moment, because it goes on
   */
  show(open: readonly UsageRow[]): readonly UsageRow[] {
    const current = this.#with(open);
    const now = this.#monotonic();
    return [...this.#series].map(([key, series]) => {
      const amounts = current.get(key) ?? series.amounts;
      series.since = Math.min(series.since, now);
      if (now - series.since >= SHOWN_AS_ZERO_MS)
        series.shown = amounts.map((amount, index) => Math.max(amount, series.shown[index] ?? 0));
      return { labels: series.labels, amounts: series.shown };
    });
  }

  /** The amounts that no monitoring system was told yet; negative where too much was told. */
  owed(open: readonly UsageRow[]): readonly UsageRow[] {
    const current = this.#with(open);
    return [...this.#series].flatMap(([key, { labels, amounts, shown }]) => {
      const owed = (current.get(key) ?? amounts).map((amount, index) => amount - (shown[index] ?? 0));
      return owed.some((amount) => amount !== 0) ? [{ labels, amounts: owed }] : [];
    });
  }

  /** From now on, what was shown is right. */
  settle(): void {
    for (const series of this.#series.values()) series.amounts = [...series.shown];
  }

  #with(open: readonly UsageRow[]): ReadonlyMap<string, number[]> {
    const current = new Map<string, number[]>();
    for (const { labels, amounts } of open) {
      const key = keyWithMore(labels);
      if (!this.#series.has(key))
        this.add(
          labels,
          amounts.map(() => 0),
        );
      const known = current.get(key) ?? this.#series.get(key)?.amounts ?? [];
      current.set(
        key,
        amounts.map((amount, index) => (known[index] ?? 0) + amount),
      );
    }
    return current;
  }
}

function keyWithMore(labels: Series["labels"]): string {
  const { namespace, queue, team, ...more } = labels;
  return `${keyOf({ namespace, queue, team })}${JSON.stringify(Object.entries(more))}`;
}
