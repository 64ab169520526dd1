import { SPARK_APP_ID_LABEL, SPARK_APP_NAME_LABEL, SPARK_VERSION_LABEL } from "@kindling/core-spec";
import type { PodState } from "@kindling/submit";

/** One application, as `kindling list` shows it. */
export interface ListedApplication {
  readonly namespace: string;
  readonly driverPod: string;
  /** The application's name as far as a label can hold it. */
  readonly name: string;
  readonly id: string;
  readonly sparkVersion: string;
  readonly phase: string;
  /** Why the driver is in its phase, where the cluster says so. */
  readonly reason: string | undefined;
  readonly created: string | undefined;
  /** Executor pods that run; `undefined` where they were not asked for. */
  readonly executors: number | undefined;
}

export function applicationOf(driver: PodState, executors: number | undefined): ListedApplication {
  const { namespace, name, labels, phase, created, deleting, reason, containers } = driver;
  const waiting = containers.find((container) => container.state === "waiting");
  return {
    namespace,
    driverPod: name,
    name: labels[SPARK_APP_NAME_LABEL] ?? "",
    id: labels[SPARK_APP_ID_LABEL] ?? "",
    sparkVersion: labels[SPARK_VERSION_LABEL] ?? "",
    phase: deleting ? "Terminating" : phase,
    reason: reason ?? (waiting?.state === "waiting" ? waiting.reason : undefined),
    created,
    executors,
  };
}

/** A table for people: columns as wide as they must be, blanks at line ends taken away. */
export function applicationTable(
  applications: readonly ListedApplication[],
  { namespaces, now }: { readonly namespaces: boolean; readonly now: number },
): string {
  const withExecutors = applications.some(({ executors }) => executors !== undefined);
  const head = [
    ...(namespaces ? ["NAMESPACE"] : []),
    "DRIVER POD",
    "APPLICATION",
    "SPARK",
    "STATE",
    ...(withExecutors ? ["EXECUTORS"] : []),
    "AGE",
  ];
  const rows = applications.map((application) => [
    ...(namespaces ? [application.namespace] : []),
    application.driverPod,
    application.name,
    application.sparkVersion,
    application.phase + (application.reason === undefined ? "" : ` (${application.reason})`),
    ...(withExecutors ? [String(application.executors ?? "")] : []),
    age(application.created, now),
  ]);
  return table([head, ...rows]);
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("   ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** How long ago a time was, in the largest unit that leaves two digits, as kubectl shows it. */
export function age(time: string | undefined, now: number): string {
  if (time === undefined) return "";
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
