import { sessionsText } from "@kindling/core-spec";
import type { ListedApplication } from "@kindling/submit";
import { age } from "./age.ts";
import { table } from "./table.ts";

/** A table for people: columns as wide as needed, without blanks at line ends. */
export function applicationTable(
  applications: readonly Omit<ListedApplication, "findings">[],
  { namespaces, now }: { readonly namespaces: boolean; readonly now: number },
): string {
  const withExecutors = applications.some(({ executors }) => executors !== undefined);
  const withSessions = applications.some(({ connect }) => connect !== undefined);
  const head = [
    ...(namespaces ? ["NAMESPACE"] : []),
    "DRIVER POD",
    "APPLICATION",
    "SPARK",
    "STATE",
    ...(withExecutors ? ["EXECUTORS"] : []),
    "AGE",
    ...(withSessions ? ["SPARK CONNECT"] : []),
  ];
  const rows = applications.map((application) => [
    ...(namespaces ? [application.namespace] : []),
    application.driverPod,
    application.name,
    application.sparkVersion,
    application.state,
    ...(withExecutors ? [executorsText(application)] : []),
    age(application.created, now),
    ...(withSessions ? [application.connect === undefined ? "" : sessionsText(application.connect)] : []),
  ]);
  return table([head, ...rows]);
}

/** How many run, and of how many if some do not. */
export function executorsText({ executors }: Pick<ListedApplication, "executors">): string {
  if (executors === undefined) return "";
  const { running, total } = executors;
  return running === total ? String(running) : `${running}/${total}`;
}
