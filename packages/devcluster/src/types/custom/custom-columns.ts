import type { Json } from "../../json.ts";
import type { PrinterColumn } from "../../objects/custom-resource-definition.ts";
import type { KubeObject } from "../../objects/object.ts";
import { type Column, type ColumnType, type Columns, columns, namedCells } from "../table/columns.ts";
import { age } from "../table/human-duration.ts";
import { parseJsonPath, valuesAt } from "./json-path.ts";

/** The columns of a custom resource: its name, and what its definition lists. */
export function customColumns(printed: readonly PrinterColumn[]): Columns {
  if (printed.length === 0)
    return columns(
      "Name | Age",
      namedCells(() => []),
    );
  const definitions: Column[] = [
    { name: "Name", type: "string", format: "name", priority: 0 },
    ...printed.map(({ name, type, format = "", priority = 0 }) => ({
      name,
      type: type as ColumnType,
      format,
      priority,
    })),
  ];
  const paths = printed.map(({ jsonPath }) => parseJsonPath(jsonPath) ?? []);
  return {
    definitions,
    cells: (object, now) => [
      object.metadata.name,
      ...printed.map((column, index) => cell(column, valuesAt(paths[index] ?? [], object), object, now)),
    ],
  };
}

function cell({ type }: PrinterColumn, values: readonly Json[], _object: KubeObject, now: number): Json {
  const [value] = values;
  if (value === undefined || value === null) return null;
  switch (type) {
    case "date":
      return typeof value === "string" ? age(value, now) : "<unknown>";
    case "integer":
    case "number":
      return typeof value === "number" ? value : Number(value);
    case "boolean":
      return value === true;
    default:
      if (values.length > 1) return `[${values.map(plain).join(",")}]`;
      return plain(value);
  }
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
