import type { DecommissionReason } from "@kindling/admission";

/** The application for which executors were taken away. */
export interface Beneficiary {
  /** The driver pod. */
  readonly name: string;
  readonly queue: string;
  readonly reason: DecommissionReason;
}

/** How many executors of an application gave way to one other application. */
export interface Loss {
  readonly to: Beneficiary;
  readonly count: number;
}

/** How many executors an application wants, and how many it has. */
export interface Standing {
  readonly wants: number;
  readonly has: number;
}

/** Above this number, applications are counted and not named. */
const MOST_NAMED = 3;

/** `etl-daily in queue etl, which has a guarantee` */
export function beneficiaryWords({ name, queue, reason }: Beneficiary): string {
  switch (reason) {
    case "guarantee":
      return `${name} in queue ${queue}, which has a guarantee`;
    case "share":
      return `${name} in queue ${queue}, which has less than its share`;
    case "priority":
      return `${name} in queue ${queue}, which has a higher priority`;
  }
}

/** `wants 3 executors, has 1: 2 gave way to etl-daily in queue etl, which has a guarantee` */
export function gaveWayWords(losses: readonly Loss[], { wants, has }: Standing): string {
  const named = losses.slice(0, MOST_NAMED).map(({ to, count }, index) => {
    return index === 0 ? `${count} gave way to ${beneficiaryWords(to)}` : `${count} to ${beneficiaryWords(to)}`;
  });
  const others = losses.slice(MOST_NAMED).reduce((sum, { count }) => sum + count, 0);
  const all = [...named, ...(others > 0 ? [`${others} to others`] : [])].join("; ");
  const standing =
    wants > has
      ? `wants ${wants} executor${wants === 1 ? "" : "s"}, has ${has}`
      : "has all the executors that it wants again";
  return `${standing}: ${all}`;
}

/**
 * The text for an event of the executor's pod: how it is taken away, which application gets its room, and what its own
 * application can do about it.
 */
export function farewellWords(to: Beneficiary, way: "decommission" | "delete", hasBegun: boolean): string {
  const whom = beneficiaryWords(to);
  if (way === "decommission") return `asked to leave, so that there is room for ${whom}; it may finish its tasks first`;
  if (!hasBegun) return `deleted before it began to run, so that there is room for ${whom}`;
  return (
    `deleted, so that there is room for ${whom}; with spark.decommission.enabled and ` +
    "spark.storage.decommission.enabled, executors leave without losing work"
  );
}
