import { KindlingError, messageOf } from "@kindling/core-spec";
import { isSubmitterLocal } from "@kindling/steps";
import type { Access } from "../../access.ts";
import { filePath } from "../../plan/files/file-path.ts";
import { mainClassOfJar } from "./main-class.ts";

/**
 * The main class that the manifest of an application's jar names; `undefined` if the resource is no jar.
 *
 * @throws KindlingError `ARGUMENT_INVALID` if no main class can be found, `FILE_UNREADABLE`
 */
export function applicationClass(resource: string, access: Access): string | undefined {
  if (/\.(py|[rR])$/.test(resource)) return undefined;
  const hint = "specify it with --class";
  if (access === "nothing" || !isSubmitterLocal(resource)) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `failed to get the main class from ${resource}, which is not on this machine`,
      { hint },
    );
  }
  let mainClass: string | undefined;
  try {
    mainClass = mainClassOfJar(filePath(resource));
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `failed to get the main class from ${resource}: ${messageOf(error)}`, {
      hint,
      cause: error,
    });
  }
  if (mainClass === undefined)
    throw new KindlingError("ARGUMENT_INVALID", `no main class is set in ${resource}`, { hint });
  return mainClass;
}
