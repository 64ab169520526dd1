import { harmlessText } from "@kindling/core-spec";
import { isMap, type FieldType } from "./profile-fields.ts";

/** The fields of one map of the file. A value of another kind is noted, and counts as absent. */
export class FieldsReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #note: (field: string, message: string) => void;
  readonly #known = new Set<string>();

  /**
   * @param where the map in messages: `profile small`
   * @param note takes what is wrong with a field
   */
  constructor(
    fields: Readonly<Record<string, unknown>>,
    where: string,
    note: (field: string, message: string) => void,
  ) {
    this.#fields = fields;
    this.#where = where;
    this.#note = note;
  }

  read<T>(name: string, type: FieldType<T>): T | undefined {
    this.#known.add(name);
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    const read = type.read(value);
    if (read === undefined) this.fault(name, `${name} is not ${type.expected}`);
    return read;
  }

  required<T>(name: string, type: FieldType<T>): T | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) {
      this.#known.add(name);
      this.fault(name, `${name} is missing`);
      return undefined;
    }
    return this.read(name, type);
  }

  /** The fields of a map in this map; absent: an empty one. */
  within(name: string): FieldsReader {
    this.#known.add(name);
    const value = this.#fields[name] ?? {};
    if (!isMap(value)) this.fault(name, `${name} is not a map of names and values`);
    return new FieldsReader(isMap(value) ? value : {}, `${this.#where}: ${name}`, (_, message) =>
      this.#note(name, message),
    );
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  fault(field: string, message: string): void {
    this.#note(field, `${this.#where}: ${message}`);
  }

  /** Notes the fields that nobody has asked for. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#fields))
      if (!this.#known.has(name))
        this.fault(name, `there is no field ${harmlessText(name, 60)}: there is ${[...this.#known].join(", ")}`);
  }
}
