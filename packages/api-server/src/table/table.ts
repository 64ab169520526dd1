import type { KubeObject } from "@kindling/kube-objects";
import type { Columns } from "./columns.ts";

/** The column definitions in a table. */
export function tableColumns(columns: Columns): object[] {
  return columns.definitions.map(({ name, type, format, priority }) => ({
    name,
    type,
    format,
    description: `${name} of the object.`,
    priority,
  }));
}

/** One row as JSON; `objectText` is the JSON text of the part of the object in the row, empty for none. */
export function tableRow(columns: Columns, object: KubeObject, objectText: string, now: number): string {
  const cells = JSON.stringify(columns.cells(object, now));
  return objectText === "" ? `{"cells":${cells}}` : `{"cells":${cells},"object":${objectText}}`;
}
