import type { KubeObject } from "@kindling/kube-objects";
import type { Columns } from "./columns.ts";

/** The column definitions as a table carries them. */
export function tableColumns(columns: Columns): object[] {
  return columns.definitions.map(({ name, type, format, priority }) => ({
    name,
    type,
    format,
    description: `${name} of the object.`,
    priority,
  }));
}

/** One row as JSON; `object` is the JSON text of what it carries of the object, empty for nothing. */
export function tableRow(columns: Columns, object: KubeObject, objectText: string, now: number): string {
  const cells = JSON.stringify(columns.cells(object, now));
  return objectText === "" ? `{"cells":${cells}}` : `{"cells":${cells},"object":${objectText}}`;
}
