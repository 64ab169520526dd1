import { isObject, type Json, type KubeObject } from "@kindling/kube-objects";
import { age, type Columns, type ColumnType, columns, namedCells } from "@kindling/api-server";
import type { PrinterColumn } from "../../objects/custom-resource-definition.ts";

/** The columns of a custom resource: its name, and those in its definition. */
export function customColumns(printed: readonly PrinterColumn[]): Columns {
  if (printed.length === 0)
    return columns(
      "Name | Age",
      namedCells(() => []),
    );
  return {
    definitions: [
      { name: "Name", type: "string", format: "name", priority: 0 },
      ...printed.map(({ name, type, format = "", priority = 0 }) => ({
        name,
        type: type as ColumnType,
        format,
        priority,
      })),
    ],
    cells: (object, now) => [object.metadata.name, ...printed.map((column) => cell(column, object, now))],
  };
}

function cell({ type, jsonPath }: PrinterColumn, object: KubeObject, now: number): Json {
  const value = valueAt(object, jsonPath);
  if (value === undefined) return null;
  switch (type) {
    case "date":
      return typeof value === "string" ? age(value, now) : null;
    case "integer":
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    default:
      // What Go's templates print for null.
      if (value === null) return "<no value>";
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

// Paths of fields, such as `.status.phase`; other JSONPath expressions in definitions show nothing here.
function valueAt(object: KubeObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const field of path.split(".").slice(1)) value = isObject(value) ? value[field] : undefined;
  return value;
}
