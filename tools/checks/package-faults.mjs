// @ts-check
// Faults of a packed package, as Node and TypeScript see them.
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Ways to resolve an import that do not support packages with only ES modules. */
const WITHOUT_ES_MODULES = new Set(["node10", "node16-cjs"]);

/**
 * The faults that publint finds in a manifest and in the files that it names.
 *
 * @param {string} tarball the package's file
 * @returns {Promise<string[]>} one line for each fault
 */
export async function manifestFaults(tarball) {
  const { buffer } = Uint8Array.from(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
  return messages
    .filter(({ type }) => type === "error")
    .map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/**
 * Entries with types that are not found, or that do not belong to the module that is loaded.
 *
 * @param {string} tarball the package's file
 * @returns {Promise<string[]>} one line for each fault
 */
export async function typeFaults(tarball) {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  // A package without types has no wrong types.
  if (checked.types === false) return [];
  return checked.problems
    .filter((problem) => !("resolutionKind" in problem && WITHOUT_ES_MODULES.has(problem.resolutionKind)))
    .map((problem) => `${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`);
}
