/** What usage is counted by. A text is empty where there is none. */
export interface UsageLabels {
  readonly namespace: string;
  readonly queue: string;
  readonly team: string;
}

/** Stands for all values that came when there were enough of them. */
export const OTHER = "other";

const MOST_NAMESPACES = 500;
const MOST_QUEUES = 200;
/** The numbers of values of each label, multiplied, would still be too many. */
const MOST_TOGETHER = 2_000;

/**
 * Bounds the values of labels, because users choose queues and teams: each new value is a time series that the monitoring
 * system has to keep. A value that was taken stays, so no counter goes back.
 */
export class BoundedLabels {
  readonly #namespaces = new Set<string>();
  readonly #queues = new Set<string>();
  readonly #teams = new Set<string>();
  readonly #together = new Set<string>();
  readonly #mostTeams: number;

  constructor(mostTeams: number) {
    this.#mostTeams = mostTeams;
  }

  bounded({ namespace, queue, team }: UsageLabels): UsageLabels {
    const labels = {
      namespace: taken(this.#namespaces, namespace, MOST_NAMESPACES),
      queue: taken(this.#queues, queue, MOST_QUEUES),
      team: taken(this.#teams, team, this.#mostTeams),
    };
    const key = keyOf(labels);
    if (taken(this.#together, key, MOST_TOGETHER) === key) return labels;
    return { namespace: labels.namespace, queue: OTHER, team: OTHER };
  }
}

/** A text that tells labels from all others. */
export function keyOf({ namespace, queue, team }: UsageLabels): string {
  return JSON.stringify([namespace, queue, team]);
}

function taken(known: Set<string>, value: string, most: number): string {
  // A missing label is no value.
  if (value === "" || known.has(value)) return value;
  if (known.size >= most) return OTHER;
  known.add(value);
  return value;
}
