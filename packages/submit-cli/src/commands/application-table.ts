import type { ListedApplication } from "@kindling/submit";

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
