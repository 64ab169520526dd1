/** Where a field is: names of fields, and numbers in lists. */
export type Path = readonly (string | number)[];

/** A part of a pod that allows what an executor asks for, if an allowance contains it. */
export interface Allowing {
  readonly path: Path;
  readonly value: unknown;
}

/** Something in a pod that not every pod may have. */
export interface Power {
  readonly path: Path;
  /** A description, if it names something. */
  readonly words?: string;
  /** Other pods may have it if one of these is given to them. */
  readonly needs: readonly string[];
  /** What a pod that has it gives to its executors. */
  readonly gives: readonly string[];
  readonly allowing: readonly Allowing[];
}

const LONGEST_PATH = 200;

/** As `spec.volumes[0].hostPath`. */
export function pathText(path: Path): string {
  const text = path.map((part, index) => {
    if (typeof part === "number") return `[${part}]`;
    if (!/^[A-Za-z]\w*$/.test(part)) return `[${JSON.stringify(part)}]`;
    return index === 0 ? part : `.${part}`;
  });
  return text.join("").slice(0, LONGEST_PATH);
}

/** The same without numbers: a container's fields are in one place, whichever container it is. */
export function placeOf(path: Path): string {
  const names = path.map((part) =>
    typeof part === "number" ? "[]" : `.${part === "initContainers" ? "containers" : part}`,
  );
  return names.join("").slice(1);
}
