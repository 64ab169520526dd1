import { KindlingError } from "@kindling/core-spec";

/** The names of a new package and its step. */
export interface Names {
  /** The name of the package, with its scope. */
  readonly package: string;
  /** The name of the step in errors and in `kindling explain`. */
  readonly step: string;
}

/**
 * @param folder the new package's folder, which is the default of its name
 * @param scope with or without `@`
 * @throws KindlingError `ARGUMENT_INVALID` for a name that a package cannot have
 */
export function namesOf(folder: string, name: string | undefined, scope: string | undefined): Names {
  const own = name ?? folder;
  if (scope !== undefined && own.startsWith("@")) {
    throw new KindlingError("ARGUMENT_INVALID", `--scope ${scope} and --name ${own}: the name has a scope already`);
  }
  const full = scope === undefined ? own : `@${scope.replace(/^@/, "")}/${own}`;
  // https://docs.npmjs.com/cli/configuring-npm/package-json#name
  if (full.length > 214 || !/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(full)) {
    throw new KindlingError("ARGUMENT_INVALID", `${JSON.stringify(full)} cannot be the name of a package`, {
      hint: "small letters, digits, - and _, with a scope if you like: --name @example/steps-cost",
    });
  }
  return { package: full, step: stepNameOf(full) };
}

/** `@example/kindling-steps-cost_center` is the package of the step `cost-center`. */
function stepNameOf(packageName: string): string {
  const words = packageName.replace(/^@[^/]+\//, "").replaceAll(/[._~]/g, "-");
  const step = words
    .replace(/^(kindling-)?(steps?-)?/, "")
    .replaceAll(/-+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return step === "" ? "my-step" : step;
}
