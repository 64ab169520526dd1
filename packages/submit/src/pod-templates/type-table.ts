import { POD_TYPES } from "./pod-types.ts";

/** The fields of a type of Kubernetes by their names, each with its type: `int64`, `[]Container`, `{}string`. */
export type FieldTypes = ReadonlyMap<string, string>;

/** The types of the classes in one release of Spark's client. */
export class TypeTable {
  readonly #release: number;
  readonly #lines = new Map<string, string>();
  readonly #types = new Map<string, FieldTypes>();

  /** @param release the recorded release of the client, by its place among them: the oldest is 0 */
  constructor(release: number) {
    this.#release = release;
    for (const line of POD_TYPES.trim().split("\n")) {
      const [name = ""] = line.split(" ", 1);
      this.#lines.set(name, line.slice(name.length + 1));
    }
  }

  fieldsOf(type: string): FieldTypes {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const fields = new Map<string, string>();
    for (const group of (this.#lines.get(type) ?? "").split(" ")) {
      const [fieldType = "", names = ""] = group.split("=");
      for (const name of names.split(",")) {
        const [field = "", since = "0"] = name.split("+");
        if (Number(since) <= this.#release) fields.set(field, fieldType);
      }
    }
    this.#types.set(type, fields);
    return fields;
  }
}
